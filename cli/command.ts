/** One option of a command. */
export interface Option {
  /** The placeholder of the option's value in the help; if absent, the option is a switch. */
  readonly value?: string;
  readonly about: string;
  readonly default?: string;
  /** Whether the option may be given several times; its value is then a list. */
  readonly repeatable?: true;
}

/** What the help of a command shows, and what the command accepts. */
export interface Command<Options extends Readonly<Record<string, Option>>> {
  /** The ways to call the command, one per line. */
  readonly usage: string;
  readonly about: string;
  readonly options: Options;
  /** Text below the options. */
  readonly notes?: string;
  readonly operands?: boolean;
}

/** The values of a command's options, by their names. */
export type Values<Options extends Readonly<Record<string, Option>>> = {
  readonly [Name in keyof Options]: Options[Name] extends { repeatable: true }
    ? readonly string[] | undefined
    : Options[Name] extends { value: string }
      ? Options[Name] extends { default: string }
        ? string
        : string | undefined
      : boolean;
};
