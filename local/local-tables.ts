/** The names of the tables on this machine. In a deployed stack, CloudFormation chooses the names. */
export const LOCAL_TABLES = { plants: 'Plants', accessTokens: 'AccessTokens' } as const;
