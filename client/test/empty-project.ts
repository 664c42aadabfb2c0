import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');

/** A new project in which only the packed client is installed. */
export interface EmptyProject {
  /** The folder of the installed package. */
  readonly client: string;
  /** Writes files into the project, and makes their folders. */
  write(files: Record<string, string>): void;
  /** Runs a program in the project. @returns its output @throws Error with its output if it fails */
  run(program: string, args: string[], environment?: Record<string, string>): Promise<string>;
  /** Compiles a folder of the project with its tsconfig.json. @returns the compiler's errors */
  compile(folder?: string): Promise<string>;
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
  async function run(cwd: string, program: string, args: string[], environment = {}): Promise<string> {
    const env = { ...Object.fromEntries(own), ...environment };
    return (await execute(program, args, { cwd, env })).stdout;
  }
  const pack = ['pack', '--silent', '--workspace', 'client', '--pack-destination', folder];
  const file = (await run(ROOT, 'npm', pack, offline)).trim();

  const project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{"private": true, "type": "module"}');
  await run(project, 'npm', ['install', '--no-audit', '--no-fund', path.join(folder, file)], offline);
  const compiler = path.join(ROOT, 'node_modules/.bin/tsc');
  return {
    client: path.join(project, 'node_modules/plant-store-client'),
    write: (files) => {
      for (const [name, text] of Object.entries(files)) {
        const file = path.join(project, name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    },
    run: (program, args, environment) => run(project, program, args, environment),
    compile: (folder = '.') =>
      run(project, compiler, ['--project', folder]).catch(({ stdout, stderr }) => stdout + stderr),
  };
}
