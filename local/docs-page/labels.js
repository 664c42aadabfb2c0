/** Elements of Swagger UI that have no accessible name, or that a keyboard cannot reach. */
const MISSING = [
  ['textarea.body-param__text', { 'aria-label': 'Request body' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['#auth-bearer-value', { 'aria-label': 'Access token' }],
  ['.close-modal', { 'aria-label': 'Close' }],
  // Its own label says other words than the button shows.
  ['.auth-btn-wrapper .authorize', { 'aria-label': 'Authorize' }],
  ['pre', { tabindex: '0' }],
  ['.curl-command .btn', { role: 'button', tabindex: '0' }],
];

/**
 * Adds the missing attributes to whatever is in an element, now and later.
 * @param {HTMLElement} root
 */
export function addLabels(root) {
  const add = () => {
    for (const [selector, attributes] of MISSING) {
      for (const element of root.querySelectorAll(selector)) {
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      }
    }
  };
  root.addEventListener('keydown', pressByKeyboard);
  new MutationObserver(add).observe(root, { childList: true, subtree: true });
}

/** The choice of a language is a `div`, which a browser does not press on Enter or Space. */
function pressByKeyboard(event) {
  if (!event.target.matches('.curl-command .btn') || !['Enter', ' '].includes(event.key)) return;
  event.preventDefault();
  event.target.click();
}
