import { read } from './project.ts';

/** The text of a section of a document in docs/, below its title. @throws Error if there is none */
export function sectionOf(name: string, title: string): string {
  const found = read(`docs/${name}.md`)
    .split('\n## ')
    .find((section) => section.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`docs/${name}.md has no section ${title}.`);
  return found.slice(title.length);
}

/** The rows of a section's table, below its head, each with its cells. */
export function tableIn(section: string): string[][] {
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

/** The words of a cell that are code. */
export function codeIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}
