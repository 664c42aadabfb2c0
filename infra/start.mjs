// Plain JavaScript: a globally installed `cdk` may run it on an old Node, and it must still say what is missing.
import process from 'node:process';

try {
  await import('./app.ts');
} catch (error) {
  const isNotInstalled =
    error.code === 'ERR_UNKNOWN_FILE_EXTENSION' || /^Cannot find package/.test(error.message);
  if (!isNotInstalled) throw error;
  console.error('Run `npm ci` first: it installs the CDK library, and the Node 24 that this app needs.');
  process.exit(1);
}
