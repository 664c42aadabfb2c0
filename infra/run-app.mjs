// In JavaScript, because a globally installed `cdk` may run this on an old Node, where it must print what is missing.
import '../cli/needs-node.mjs';

await import('./app.ts');
