/* global SwaggerUIBundle */

/** Where the token is kept until the tab is closed. */
const TOKEN_KEY = 'plant-store-access-token';

/** A plugin for Swagger UI that accepts a pasted header, and keeps the token. */
const accessTokenPlugin = {
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (payload) => {
          const pasted = payload.bearer?.value ?? '';
          const value = pasted.trim().replace(/^(?:authorization: *)?bearer +/i, '');
          sessionStorage.setItem(TOKEN_KEY, value);
          return authorize({ ...payload, bearer: { ...payload.bearer, value } });
        },
        logout: (logout) => (names) => {
          sessionStorage.removeItem(TOKEN_KEY);
          return logout(names);
        },
      },
    },
  },
};

/** Elements of Swagger UI that have no accessible name or cannot be reached by keyboard. */
const MISSING = [
  ['textarea.body-param__text', { 'aria-label': 'Request body' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['#auth-bearer-value', { 'aria-label': 'Access token' }],
  ['.close-modal', { 'aria-label': 'Close' }],
  // Swagger UI's label differs from the text of the button.
  ['.auth-btn-wrapper .authorize', { 'aria-label': 'Authorize' }],
  ['pre', { tabindex: '0' }],
];

/** Adds the missing attributes to all elements in `root`, now and later. */
function addLabels(root) {
  const add = () => {
    for (const [selector, attributes] of MISSING) {
      for (const element of root.querySelectorAll(selector)) {
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      }
    }
  };
  new MutationObserver(add).observe(root, { childList: true, subtree: true });
}

/** Shows the operation before the long description, which is that of the tag in openapi.yaml. */
function layout({ getComponent }) {
  const { createElement: h } = this;
  const part = (name) => h(getComponent(name, true));
  return h(
    'div',
    { className: 'swagger-ui' },
    h('h2', { className: 'unseen' }, 'Operations'),
    part('AuthorizeBtnContainer'),
    part('operations'),
    h('section', { 'aria-label': 'Tokens, errors, retries', id: 'words' }, part('InfoContainer')),
  );
}

const layoutPlugin = ({ React }) => ({ components: { PlantStoreLayout: layout.bind(React) } });

const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

/** This server, under the name and the path by which the browser reached it: a forwarder may put a path in front. */
const SERVER = new URL('.', location.href).href.replace(/\/$/, '');

const { info, tags, ...rest } = await (await fetch('openapi.json')).json();
const description = tags.map((tag) => tag.description).join('\n');
const api = document.getElementById('api');

addLabels(api);
const ui = SwaggerUIBundle({
  spec: { ...rest, info: { ...info, description }, servers: [{ url: SERVER }] },
  domNode: api,
  plugins: [layoutPlugin, accessTokenPlugin],
  layout: 'PlantStoreLayout',
  docExpansion: 'full',
  displayRequestDuration: true,
  onComplete: () => {
    // Entered before the page was reloaded.
    const token = sessionStorage.getItem(TOKEN_KEY);
    if (token) ui.preauthorizeApiKey('bearer', token);
  },
  syntaxHighlight: { theme: 'obsidian' },
  // No validator badge: it would call another host.
  validatorUrl: null,
});
