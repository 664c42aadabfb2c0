/** One option of a command. */
export interface Option {
  /** The placeholder of the option's value in the help; if absent, the option is a switch. */
  readonly value?: string;
  readonly about: string;
  readonly default?: string;
  /** Whether the option may be given several times; its value is then a list. */
  readonly repeatable?: true;
  /** Whether its value may be the empty text, which otherwise is that of an unset variable in a shell. */
  readonly mayBeEmpty?: true;
}

/** The options of a command, by their names. */
export type Options = Readonly<Record<string, Option>>;

/** What the help of a command shows, what the command accepts, and what it does. */
export interface Command<Own extends Options> {
  /** The script of package.json that starts it; absent if `usage` has the whole line, as where no script does. */
  readonly script?: string;
  /** Whether npm must print nothing, because standard output is data. */
  readonly isQuiet?: true;
  /** The first argument, where a script starts one of several commands. */
  readonly verb?: string;
  /** The arguments in each way to call the command, one way per line. */
  readonly usage: string;
  readonly about: string;
  readonly options: Own;
  /** Text below the options. */
  readonly notes?: string;
  /** How many operands there may be; true for any number. */
  readonly operands?: number | true;
  /** Options of which only one may be given; switches, too. */
  readonly apart?: readonly (readonly string[])[];
  /** @returns false if it failed, and has said so; one that throws an error instead returns nothing */
  main(values: Values<Own>, operands: string[]): Promise<boolean | undefined>;
}

/** A command that is several: the first argument names one, which has options of its own. */
export interface CommandGroup<All extends Readonly<Record<string, Options>>>
  extends Pick<Command<Options>, 'script' | 'isQuiet' | 'about' | 'notes'> {
  readonly commands: { readonly [Name in keyof All]: Command<All[Name]> };
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
