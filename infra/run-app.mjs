// In JavaScript, because a globally installed `cdk` may run this on an old Node, where it must print what is missing.
import process from 'node:process';

try {
  await import('./app.ts');
} catch (error) {
  const isNotInstalled =
    error.code === 'ERR_UNKNOWN_FILE_EXTENSION' || /^Cannot find package/.test(error.message);
  if (!isNotInstalled) throw error;
  console.error('Run `npm ci` first. It installs the CDK library and the Node that this app needs.');
  process.exit(1);
}
