/** A provider with every option, as the setting of a stage. */
export const IDENTITY_PROVIDER = {
  issuer: 'https://login.example.com/',
  audience: 'plants',
  scope: 'create',
  allowedClients: ['shop', 'garden'],
  nameClaim: ['plants.example.com', 'client'],
  tokenType: 'at+jwt' as const,
};
