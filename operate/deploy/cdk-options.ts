import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UsageError } from '../../cli/command-line.ts';

/** The options of `cdk deploy` that pass. None changes which stack is deployed, who looks at it, or how traffic moves. */
const OPTIONS = {
  'revert-drift': { type: 'boolean' },
  context: { type: 'string', short: 'c', multiple: true },
  output: { type: 'string', short: 'o' },
  'outputs-file': { type: 'string' },
  verbose: { type: 'boolean', short: 'v', multiple: true },
  profile: { type: 'string' },
} as const;

/** For the help: the same options in words. */
export const CDK_OPTIONS_HELP = `OPTIONs go to cdk deploy alone; the guard does not see what they change. No other ones pass, because they could go past the guard,
the canary or the rollback:
  --revert-drift            undo changes by hand
  -c alarmEmail=ADDRESS     replace the stage's alarmEmail in this deployment
  --profile NAME            act with this profile, which must be of the same account as all other calls
  --output FOLDER           write the templates and the bundle there
  --outputs-file FILE       write the outputs of the stack there, as JSON
  --verbose                 print more`;

/** What {@link readCdkOptions} returns. */
export type CdkOptions = ReturnType<typeof readCdkOptions>;

/**
 * Reads the options for `cdk deploy`.
 * @returns its words, whether any is for the synthesis, and the profile with which it acts, if that is not the one of the environment
 * @throws UsageError if one is not allowed
 */
export function readCdkOptions(args: readonly string[]) {
  const { context = [], output, profile, verbose = [], ...others } = parsed(args);
  if (!context.every((each) => each.startsWith('alarmEmail=')))
    throw new UsageError(
      'After -c, only alarmEmail=ADDRESS passes to cdk deploy; it gets stage and canary from --stage and --no-canary.',
    );
  return {
    profile,
    /** Whether any is for the synthesis. */
    changesApp: context.length > 0 || output !== undefined,
    words: [
      // Without this option, a profile in ~/.cdk.json would go before the keys of the environment, which the guard uses.
      `--profile=${profile ?? ''}`,
      ...(others['revert-drift'] ? ['--revert-drift'] : []),
      ...context.flatMap((each) => ['-c', each]),
      ...(output ? [`--output=${output}`] : []),
      ...(others['outputs-file'] ? [`--outputs-file=${others['outputs-file']}`] : []),
      ...verbose.map(() => '--verbose'),
    ],
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A stray word may be a secret in the wrong place.
    const isWord = code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    const problem = isWord ? 'Unexpected argument' : message.split(/[.\n]/, 1);
    throw new UsageError(
      `${problem}: only --revert-drift, -c alarmEmail=ADDRESS, --profile, --output, --outputs-file and --verbose pass to cdk deploy, because others could ` +
        'go past the guard, the canary or the rollback.',
    );
  }
}

/**
 * The program that is the CDK, and its first words. On Windows it is run by Node: a shell, which could start npm's `cdk.cmd`, would split
 * words with spaces, and get the signals in place of the CDK.
 */
export function cdkCommand(platform: NodeJS.Platform): readonly [program: string, ...words: string[]] {
  if (platform !== 'win32') return ['cdk'];
  return [process.execPath, fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk'))];
}

/**
 * The environment of the CDK. It reads each of its options from a variable, too, such as `CDK_HOTSWAP`, and keys from variables that
 * nothing else reads, such as `AMAZON_ACCESS_KEY_ID`.
 * @param region where all other calls are made
 */
export function cdkEnvironment(region: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(CDK|AMAZON)_/i.test(name));
  return { ...Object.fromEntries(others), AWS_REGION: region };
}
