import { freshKey } from "../../src/accounts/keys.ts"
import { openStoreAt } from "../../src/store/store.ts"

/**
 * Creates an account without limits in a database, and the encryption key in the folder. Returns
 * the account's API key.
 */
export async function unlimitedKey(dataDir: string, databaseUrl: string): Promise<string> {
  const store = await openStoreAt({ dataDir, databaseUrl })
  const account = { id: "acc_bench", email: null, passwordHash: null, unlimited: true, credits: 0 }
  const createdAt = new Date().toISOString()
  await store.write("accounts.create", { ...account, createdAt })
  const { apiKey, row } = freshKey("bench", new Date())
  await store.write("keys.create", { ...row, accountId: account.id })
  await store.close()
  return apiKey
}
