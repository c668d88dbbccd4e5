/** Path prefix of the administration routes. */
export const adminPrefix = "/api/admin/v1"
