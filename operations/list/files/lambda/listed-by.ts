/** The property by which plants are listed: those with one value of it. */
export const LISTED_BY = 'status';

/** The index that the lists read. One with another key needs another name: CloudFormation cannot change the key of an index. */
export const LIST_INDEX = 'by-status';
