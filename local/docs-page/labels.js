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

/**
 * Adds the missing attributes to all elements in `root`, now and later.
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
  new MutationObserver(add).observe(root, { childList: true, subtree: true });
}
