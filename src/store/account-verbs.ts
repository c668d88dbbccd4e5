import { createAccount } from "./accounts.ts"
import { giveBackAllowance, putBackAllowance, takeAllowance } from "./allowance.ts"
import { completeClaim, deliverClaim, openClaim } from "./claims.ts"
import { addCredits } from "./credits.ts"
import { saveKeylessResult } from "./keyless-results.ts"
import { createKey, markKeyUsed, revokeKey } from "./keys.ts"
import { createSession, endSession } from "./sessions.ts"

/** Changes to accounts, and to what keyless callers leave. */
export const accountVerbs = {
  "accounts.create": createAccount,
  "credits.add": addCredits,
  "keys.create": createKey,
  "keys.revoke": revokeKey,
  "keys.used": markKeyUsed,
  "sessions.create": createSession,
  "sessions.end": endSession,
  "claims.open": openClaim,
  "claims.complete": completeClaim,
  "claims.deliver": deliverClaim,
  "allowance.take": takeAllowance,
  "allowance.giveBack": giveBackAllowance,
  "allowance.putBack": putBackAllowance,
  "keyless.save": saveKeylessResult,
}
