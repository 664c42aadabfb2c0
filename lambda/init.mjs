// The file that Lambda loads (docs/decisions.md, 13). INIT waits for the connection; CommonJS has no top-level `await`. It
// imports nothing: Node would evaluate all exports of a built-in module, and search the bundle for its exports.
const { createRequire } = process.getBuiltinModule('module');
const { connect, handler } = createRequire(import.meta.url)('./bundle.cjs');
await Promise.allSettled([connect()]);

export { handler };
