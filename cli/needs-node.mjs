// Loaded before each command. In JavaScript, because an old Node may run it, where it must print what is missing.
if (!process.features.typescript) {
  console.error(
    `Node ${process.version} cannot run this. Run "npm ci && npm rebuild --ignore-scripts", which installs another, or install Node 24.`,
  );
  process.exit(1);
}
