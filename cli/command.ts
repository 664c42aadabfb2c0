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
  /** How many operands there may be; true for any number. */
  readonly operands?: number | true;
  /** Options of which only one may be given. */
  readonly apart?: readonly (readonly string[])[];
}

/** What a command does. */
export type Main<Options extends Readonly<Record<string, Option>>> = (
  values: Values<Options>,
  operands: string[],
) => Promise<void>;

/** A command that is several: the first argument names one, which has options of its own. */
export interface CommandGroup<All extends Readonly<Record<string, Readonly<Record<string, Option>>>>> {
  readonly about: string;
  readonly notes?: string;
  readonly commands: { readonly [Name in keyof All]: Command<All[Name]> & { main: Main<All[Name]> } };
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
