/** What the description of a stage's alias says about what is deployed. */
export interface AliasDescription {
  /** The commit of the stack's template, 40 hexadecimal digits; undefined if it is not known. */
  readonly commit: string | undefined;
  /** Whether the deployed files differed from the commit. */
  readonly isModified: boolean;
  /** The version from which `npm run rollback` moved the alias since then. */
  readonly rolledBackFrom?: string;
}

const PATTERN =
  /^commit (?:(?<commit>[0-9a-f]{40})(?<modified>, modified)?|not known)(?:, rolled back from version (?<from>\d+))?$/;

/** @returns the description, at most 256 characters (Lambda API Reference, "UpdateAlias") */
export function formatAliasDescription({ commit, isModified, rolledBackFrom }: AliasDescription): string {
  const deployed = commit === undefined ? 'not known' : `${commit}${isModified ? ', modified' : ''}`;
  return `commit ${deployed}${rolledBackFrom === undefined ? '' : `, rolled back from version ${rolledBackFrom}`}`;
}

/** Reads a description. One that no deployment or rollback has written names no commit. */
export function parseAliasDescription(text: string | undefined): AliasDescription {
  const { commit, modified, from } = PATTERN.exec(text ?? '')?.groups ?? {};
  return { commit, isModified: modified !== undefined, ...(from && { rolledBackFrom: from }) };
}
