/** One option of a command. */
export interface Option {
  /** The placeholder of the option's value in the help; if absent, the option is a switch. */
  readonly value?: string;
  readonly about: string;
  readonly default?: string;
  /** Whether the option may be given several times; its value is then a list. */
  readonly repeatable?: true;
}

/** The options of a command, by their names. */
export type Options = Readonly<Record<string, Option>>;

/** What the help of a command shows, and what the command accepts. */
export interface Command<Own extends Options> {
  /** The ways to call the command, one per line. */
  readonly usage: string;
  readonly about: string;
  readonly options: Own;
  /** Text below the options. */
  readonly notes?: string;
  /** How many operands there may be; true for any number. */
  readonly operands?: number | true;
  /** Options of which only one may be given. */
  readonly apart?: readonly (readonly string[])[];
}

/** What a command does. */
export type Main<Own extends Options> = (values: Values<Own>, operands: string[]) => Promise<void>;

/** A command that is several: the first argument names one, which has options of its own. */
export interface CommandGroup<All extends Readonly<Record<string, Options>>> {
  readonly about: string;
  readonly notes?: string;
  readonly commands: { readonly [Name in keyof All]: Command<All[Name]> & { main: Main<All[Name]> } };
}

/** The values of a command's options, by their names. */
export type Values<Own extends Options> = {
  readonly [Name in keyof Own]: Own[Name] extends { repeatable: true }
    ? readonly string[] | undefined
    : Own[Name] extends { value: string }
      ? Own[Name] extends { default: string }
        ? string
        : string | undefined
      : boolean;
};
