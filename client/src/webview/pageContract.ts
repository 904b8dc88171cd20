/**
 * A contract between a page and its host: the page's requests with their replies, and events in both directions. A page
 * imports only the contract's type. The host also uses the checks.
 */
import type { Method } from '../rpc/calls.ts';
import type { Check, Checked } from './checks.ts';

/** A request: the check for its parameters, and the type of its reply. */
export interface RequestRow<Params, Reply> {
  readonly params: Check<Params>;
  /** Never set: it only determines the type of the reply. */
  readonly reply?: Reply;
}

export interface PageContract {
  readonly requests: Readonly<Record<string, RequestRow<unknown, unknown>>>;
  /** The checks for the page's events, by event name. */
  readonly fromPage: Readonly<Record<string, Check<unknown>>>;
  /** Never set: it only determines the types of the host's events. */
  readonly toPage?: object;
}

export function request<Reply>(): <Params>(params: Check<Params>) => RequestRow<Params, Reply> {
  return (params) => ({ params });
}

/** Declares a contract. The type argument maps the host's events to their content. */
export function contract<ToPage extends object>(): <
  Requests extends PageContract['requests'],
  FromPage extends PageContract['fromPage'],
>(rows: {
  readonly requests: Requests;
  readonly fromPage: FromPage;
}) => { readonly requests: Requests; readonly fromPage: FromPage; readonly toPage?: ToPage } {
  return (rows) => rows;
}

export type RequestName<C extends PageContract> = keyof C['requests'] & string;
export type RequestParams<C extends PageContract, Name extends RequestName<C>> = Checked<
  C['requests'][Name]['params']
>;
export type RequestReply<C extends PageContract, Name extends RequestName<C>> =
  C['requests'][Name] extends RequestRow<infer _, infer Reply> ? Reply : never;

type HostEvents<C extends PageContract> = NonNullable<C['toPage']>;
export type HostEventName<C extends PageContract> = keyof HostEvents<C> & string;
export type HostEvent<C extends PageContract, Name extends HostEventName<C>> = HostEvents<C>[Name];

export type PageMethods<C extends PageContract> = {
  readonly [Name in RequestName<C>]: Method<RequestParams<C, Name>, RequestReply<C, Name>>;
};
export type PageEvents<C extends PageContract> = {
  readonly [Name in keyof C['fromPage'] & string]: Checked<C['fromPage'][Name]>;
};

export type {
  ToClient as ToPageMessage,
  ToServer as FromPageMessage,
} from '../rpc/calls.ts';
