/** undici has types only for all of it. */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
