// In JavaScript, because a globally installed `cdk` may run this on an old Node, where it must print what is missing.
import '../cli/needs-node.mjs';

// `npx -c` of cdk.json leaves its command to its children, and an npx of theirs, as of the CDK's NodejsFunction, would run it again.
delete process.env.npm_config_call;

await import('./app.ts');
