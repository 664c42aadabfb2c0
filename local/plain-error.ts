export { PlainError } from '../infra/plain-error.ts';
