import { PlainError } from '../cli/plain-error.ts';

/** Valid both in the name of a stack, after "PlantStore-", and in that of an API's stage. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** With "PlantStore-", the 32 characters that X-Ray allows for the name of a sampling rule (API reference, SamplingRule). */
const NAME_LENGTH = 21;
/**
 * Reserved: `-c stage=all` means every stage, PlantStore-pipeline is the stack of the deployment pipeline, and an address
 * that ends with /plants is refused by the client and the tools as that of an operation.
 */
const RESERVED = ['all', 'pipeline', 'plants'];
/** GitHub's environments `review-STAGE` need no approval: a stage of such a name would open them the role that deploys. */
const REVIEW = 'review-';

/** @throws PlainError if a stage cannot have this name */
export function checkStageName(name: string): void {
  if (!NAME.test(name) || name.length > NAME_LENGTH || RESERVED.includes(name) || name.startsWith(REVIEW)) {
    throw new PlainError(
      `Stage ${JSON.stringify(name)}: a name has at most ${NAME_LENGTH} lower-case letters, digits and single hyphens, ` +
        `begins with a letter, not with ${REVIEW}, and is not ${RESERVED.join(' or ')}.`,
    );
  }
}
