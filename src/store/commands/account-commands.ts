import { changeAccount, createAccount, deleteAccount, setPassword } from "../accounts/accounts.ts"
import { completeClaim, deliverClaim, openClaim, refuseClaim } from "../accounts/claims.ts"
import { addCredits } from "../accounts/credits.ts"
import { refundCall, refundFailedCall, spendFreeQuota } from "../accounts/free-quota.ts"
import { saveKeylessResult } from "../accounts/keyless-results.ts"
import { createKey, markKeyUsed, revokeKey } from "../accounts/keys.ts"
import { createLink, joinByLink, ownByLink, setPasswordByLink } from "../accounts/links.ts"
import { createSession, endSession, endSessions } from "../accounts/sessions.ts"
import {
  changeSiteSession,
  claimLogin,
  createSiteSession,
  deleteSiteSession,
  endLogin,
  expireSiteSession,
  updateSiteSession,
  useSiteSession,
} from "../accounts/site-sessions.ts"
import { dropSetting, keepSetting } from "../settings/settings.ts"

/** Changes to accounts and to data of anonymous callers. */
export const accountCommands = {
  "accounts.create": createAccount,
  "accounts.change": changeAccount,
  "accounts.setPassword": setPassword,
  "accounts.delete": deleteAccount,
  "links.create": createLink,
  "links.join": joinByLink,
  "links.own": ownByLink,
  "links.setPassword": setPasswordByLink,
  "credits.add": addCredits,
  "keys.create": createKey,
  "keys.revoke": revokeKey,
  "keys.used": markKeyUsed,
  "sessions.create": createSession,
  "sessions.end": endSession,
  "sessions.endAll": endSessions,
  "claims.open": openClaim,
  "claims.complete": completeClaim,
  "claims.refuse": refuseClaim,
  "claims.deliver": deliverClaim,
  "freeQuota.spend": spendFreeQuota,
  "freeQuota.refundFailed": refundFailedCall,
  "freeQuota.refund": refundCall,
  "settings.keep": keepSetting,
  "settings.drop": dropSetting,
  "keyless.save": saveKeylessResult,
  "siteSessions.create": createSiteSession,
  "siteSessions.change": changeSiteSession,
  "siteSessions.delete": deleteSiteSession,
  "siteSessions.use": useSiteSession,
  "siteSessions.update": updateSiteSession,
  "siteSessions.claimLogin": claimLogin,
  "siteSessions.endLogin": endLogin,
  "siteSessions.expire": expireSiteSession,
}
