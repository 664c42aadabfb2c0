/** What the description of a stage's alias says about what is deployed. */
export interface AliasDescription {
  /** The commit of the stack's template, 40 hexadecimal digits; undefined if it is not known. */
  readonly commit: string | undefined;
  /** Whether the deployed files differed from the commit. */
  readonly isModified: boolean;
}

const PATTERN = /^commit (?<commit>[0-9a-f]{40})(?<modified>, modified)?$/;

/** @returns the description, at most 256 characters (Lambda API Reference, "UpdateAlias") */
export function formatAliasDescription({ commit, isModified }: AliasDescription): string {
  return `commit ${commit === undefined ? 'not known' : `${commit}${isModified ? ', modified' : ''}`}`;
}

/** Reads a description. One that no deployment has written names no commit. */
export function parseAliasDescription(text: string | undefined): AliasDescription {
  const { commit, modified } = PATTERN.exec(text ?? '')?.groups ?? {};
  return { commit, isModified: modified !== undefined };
}
