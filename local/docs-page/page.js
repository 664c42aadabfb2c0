import { accessTokenPlugin, restoreAccessToken } from '/docs/access-token.js';
import { addLabels } from '/docs/labels.js';

/* global SwaggerUIBundle */

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

/** Makes a modal dialog of the browser of Swagger UI's own, which lets the keyboard leave it and gives no focus back. */
const modal =
  (Popup, { React: { createElement: h, useLayoutEffect, useRef } }) =>
  (props) => {
    const dialog = useRef();
    useLayoutEffect(() => {
      const { current } = dialog;
      current.showModal();
      current.querySelector('input')?.focus();
      return () => current.close();
    }, []);
    const onCancel = (event) => {
      event.preventDefault();
      props.authActions.showDefinitions(false);
    };
    return h('dialog', { ref: dialog, onCancel, 'aria-label': 'Authorize' }, h(Popup, props));
  };

const layoutPlugin = ({ React }) => ({
  components: { PlantStoreLayout: layout.bind(React) },
  wrapComponents: { authorizationPopup: modal },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

const { info, tags, ...rest } = await (await fetch('/openapi.json')).json();
const description = tags.map((tag) => tag.description).join('\n');
const api = document.getElementById('api');

addLabels(api);
const ui = SwaggerUIBundle({
  // Requests go to this server, under the name by which the browser reached it.
  spec: { ...rest, info: { ...info, description }, servers: [{ url: location.origin }] },
  domNode: api,
  plugins: [layoutPlugin, accessTokenPlugin],
  layout: 'PlantStoreLayout',
  docExpansion: 'full',
  displayRequestDuration: true,
  onComplete: () => restoreAccessToken(ui),
  syntaxHighlight: { theme: 'obsidian' },
  // No validator badge: it would call another host.
  validatorUrl: null,
});
