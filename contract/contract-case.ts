/** One case of the contract: a request, and the response that every implementation must give. */
export interface ContractCase {
  readonly group: string;
  /** A statement of behavior; unique in the table. */
  readonly name: string;
  readonly method: string;
  /** The path, with its query if it has one. */
  readonly path: string;
  /** Names in lower case; a header sent twice is listed twice. Values may have placeholders: the kinds of token in tokens.ts. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The exact bytes of the body; undefined: no body. */
  readonly body: Buffer | undefined;
  /** Bodies of plants to store first, in this order, with the default method, path and headers. */
  readonly given: readonly Buffer[];
  readonly expected: ExpectedResult | ExpectedError;
  /** The ids that are placeholders. */
  readonly ids: readonly string[];
  /** Whether it may use other ids, too. */
  readonly anyId: boolean;
  /** Whether it is repeated while a canary runs. */
  readonly canary: boolean;
}

/** The response is a plant. */
interface ExpectedResult {
  readonly status: 200;
  /** The exact text of the body. */
  readonly text: string;
  /** The plant that must be in the table afterwards, with its id, digit for digit. */
  readonly stored?: { readonly id: string; readonly [property: string]: unknown };
}

/** The response is an error. */
export interface ExpectedError {
  readonly status: 400;
  readonly error: number;
  /** The property, or the path of a part of one, that the message must name. */
  readonly names?: string | undefined;
  /** The ids of items that must not be in the table afterwards. */
  readonly absent?: readonly string[];
}
