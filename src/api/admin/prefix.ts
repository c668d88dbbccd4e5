/** Under which owners operate the service. */
export const adminPrefix = "/api/admin/v1"
