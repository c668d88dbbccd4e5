/** Letters that go into an address as they are. */
export const isToken = (token: string) => /^[\w.~-]{16,200}$/.test(token)
export const tokenForm = "16 to 200 letters, digits, or any of . _ ~ -"
