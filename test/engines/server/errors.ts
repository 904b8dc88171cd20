/** Errors as ClickHouse sends them over HTTP: a code with a name, a message, and a status that follows from the name. */

export class ServerError extends Error {
  readonly code: number;
  readonly codeName: string;

  /** `codeName` is the code's name, such as `SYNTAX_ERROR`. */
  constructor(code: number, codeName: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message} (${codeName})`);
    this.code = code;
    this.codeName = codeName;
  }
}

/** Converts an error of chdb, whose message is a server's without the version. */
export function serverError(error: unknown): ServerError {
  if (error instanceof ServerError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const found = /Code: (\d+)\. DB::Exception: ([\s\S]*) \((\w+)\)\s*$/.exec(message);
  return found === null
    ? new ServerError(1001, 'STD_EXCEPTION', message)
    : new ServerError(Number(found[1]), found[3]!, found[2]!);
}

/** The table of `exceptionCodeToHTTPStatus.cpp`. All other codes are 500. */
const codesByStatus: Readonly<Record<number, string>> = {
  400: `BAD_ARGUMENTS CANNOT_COMPILE_REGEXP CANNOT_PARSE_TEXT CANNOT_PARSE_ESCAPE_SEQUENCE CANNOT_PARSE_QUOTED_STRING
    CANNOT_PARSE_DATE CANNOT_PARSE_DATETIME CANNOT_PARSE_NUMBER CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING CANNOT_PARSE_IPV4
    CANNOT_PARSE_IPV6 CANNOT_PARSE_UUID CANNOT_PARSE_INPUT_ASSERTION_FAILED DUPLICATE_COLUMN ILLEGAL_COLUMN
    THERE_IS_NO_COLUMN UNKNOWN_ELEMENT_IN_AST UNKNOWN_TYPE_OF_AST_NODE TOO_DEEP_AST TOO_BIG_AST
    UNEXPECTED_AST_STRUCTURE SYNTAX_ERROR INCORRECT_DATA TYPE_MISMATCH VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE`,
  401: 'REQUIRED_PASSWORD',
  403: 'UNKNOWN_USER WRONG_PASSWORD AUTHENTICATION_FAILED SET_NON_GRANTED_ROLE ACCESS_DENIED',
  404: `UNKNOWN_TABLE UNKNOWN_FUNCTION UNKNOWN_IDENTIFIER UNKNOWN_TYPE UNKNOWN_STORAGE UNKNOWN_DATABASE
    UNKNOWN_SETTING UNKNOWN_DIRECTION_OF_SORTING UNKNOWN_AGGREGATE_FUNCTION UNKNOWN_FORMAT UNKNOWN_DATABASE_ENGINE
    UNKNOWN_TYPE_OF_QUERY UNKNOWN_ROLE`,
  408: 'TIMEOUT_EXCEEDED',
  411: 'HTTP_LENGTH_REQUIRED',
  413: 'QUERY_IS_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  501: 'NOT_IMPLEMENTED',
  503: 'SOCKET_TIMEOUT CANNOT_OPEN_FILE CANNOT_SCHEDULE_TASK',
};

const statuses = new Map(
  Object.entries(codesByStatus).flatMap(([status, names]) =>
    names.split(/\s+/).map((name) => [name, Number(status)] as const),
  ),
);

export function statusOf({ codeName }: ServerError): number {
  return statuses.get(codeName) ?? 500;
}
