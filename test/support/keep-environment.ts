/** @returns a function that makes the environment variables and the umask of this process again what they are now */
export function keepEnvironment(): () => void {
  const env = { ...process.env };
  const umask = process.umask();
  return () => {
    process.umask(umask);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  };
}
