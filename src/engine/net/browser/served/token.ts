/** Characters that need no encoding in a URL. */
export const isToken = (token: string) => /^[\w.~-]{16,200}$/.test(token)
export const tokenForm = "16 to 200 characters: letters, digits, and . _ ~ -"
