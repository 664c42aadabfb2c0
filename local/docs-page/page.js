import { addLabels } from '/docs/labels.js';

/* global SwaggerUIBundle */

/** What can be tried comes first, and what there is to know about it after it: the words are long. */
function layout({ getComponent }) {
  const { createElement: h } = this;
  const part = (name) => h(getComponent(name, true));
  return h(
    'div',
    { className: 'swagger-ui' },
    h('h2', { className: 'unseen' }, 'Operations'),
    part('AuthorizeBtnContainer'),
    part('operations'),
    h('section', { 'aria-label': 'Tokens, errors, repeating a create', id: 'words' }, part('InfoContainer')),
  );
}

const layoutPlugin = ({ React }) => ({ components: { PlantStoreLayout: layout.bind(React) } });

const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

const spec = await (await fetch('/openapi.json')).json();
const api = document.getElementById('api');

addLabels(api);
SwaggerUIBundle({
  // Requests go to this very server, by whatever name the browser knows it.
  spec: { ...spec, servers: [{ url: location.origin }] },
  domNode: api,
  plugins: [layoutPlugin],
  layout: 'PlantStoreLayout',
  docExpansion: 'full',
  displayRequestDuration: true,
  syntaxHighlight: { theme: 'obsidian' },
  // No validator badge: it would ask another host.
  validatorUrl: null,
});
