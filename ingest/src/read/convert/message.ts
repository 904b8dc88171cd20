// Converts a line of text to an event with the field `message`.

import type { Output } from '../output.ts';
import { CLOSE_CURLY } from '../split/splitter.ts';
import type { Converter } from './converter.ts';
import { writeString } from './jsonText.ts';

export class MessageConverter implements Converter {
  readonly time = undefined;

  convert(buffer: Buffer, start: number, end: number, output: Output): undefined {
    output.ascii('{"message":');
    writeString(output, buffer, start, end);
    output.byte(CLOSE_CURLY);
  }
}
