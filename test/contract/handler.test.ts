import { keepsTheContract } from './keeps-the-contract.ts';

keepsTheContract('the function', (service) => service.handler);
