import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');

/** A new project in which only the packed client is installed. */
export interface EmptyProject {
  readonly folder: string;
  /** The paths of the files in the package, sorted. */
  readonly packed: string[];
  /** Writes files into the project. */
  write(files: Record<string, string>): void;
  /** Runs a program in the project. @returns its output @throws Error with its output if it fails */
  run(program: string, args: string[], environment?: Record<string, string>): Promise<string>;
  /** Compiles the project with its tsconfig.json. @returns the compiler's errors */
  compile(): Promise<string>;
}

/**
 * Packs the client, and installs it in a new project as a user would, without a registry.
 * @param folder an empty folder
 */
export async function makeEmptyProject(folder: string): Promise<EmptyProject> {
  // Without the settings of npm and Node that run the tests: Node 20 cannot load their modules.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$)/i.test(name));
  const offline = {
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_offline: 'true',
    npm_config_cache: path.join(folder, 'npm-cache'),
  };
  const run = async (
    cwd: string,
    program: string,
    args: string[],
    environment: Record<string, string> = {},
  ) => {
    const env = { ...Object.fromEntries(own), ...environment };
    const { stdout } = await execute(program, args, { cwd, env });
    return stdout;
  };
  const pack = [
    'pack',
    '--workspace',
    'client',
    '--pack-destination',
    folder,
    '--json',
    '--foreground-scripts=false',
  ];
  const report: unknown = JSON.parse(await run(ROOT, 'npm', pack, offline));
  // An array in npm 10 and 11, an object with package names as keys in npm 12.
  const [package_] = Object.values(report as object) as { filename: string; files: { path: string }[] }[];
  if (package_ === undefined) throw new Error(`npm packed nothing: ${report}`);

  const project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{"private": true, "type": "module"}');
  const install = ['install', '--no-audit', '--no-fund', path.join(folder, package_.filename)];
  await run(project, 'npm', install, offline);
  return {
    folder: project,
    packed: package_.files.map((file) => file.path).sort(),
    write: (files) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);
    },
    run: (program, args, environment) => run(project, program, args, environment),
    compile: () =>
      run(project, path.join(ROOT, 'node_modules/.bin/tsc'), []).catch(
        ({ stdout, stderr }) => stdout + stderr,
      ),
  };
}

/** Adds Node's types to a project. A user would install them from the registry. */
export function lendNodeTypes(project: EmptyProject): void {
  const types = path.join(project.folder, 'node_modules/@types');
  mkdirSync(types, { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules/@types/node'), path.join(types, 'node'));
}
