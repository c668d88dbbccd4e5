import type { Static } from "@sinclair/typebox"
import { scopesOf } from "../../accounts/keys.ts"
import { listSiteSessions } from "../../store/accounts/site-sessions.ts"
import { newId } from "../../store/db/ids.ts"
import { destinationParts } from "../delivery/parts.ts"
import { createDestination, ownDestination } from "../destinations/own-destinations.ts"
import { bearerOf, callerOf, requireAccount, requireFullKey } from "../http/access.ts"
import { ApiError } from "../http/errors.ts"
import { destinationResponse } from "../schemas/destination.ts"
import type { Call, Service } from "../service.ts"
import {
  createSession,
  logInSession,
  maxSessions,
  ownSession,
  putSession,
  visibleSession,
} from "../sessions/own-sessions.ts"
import type { ManageTool, manageInputs } from "./manage-inputs.ts"

/** The result of a tool: a text for the model, and the same as data. Both are without secrets. */
export interface Managed {
  text: string
  data: Record<string, unknown>
}

type Input<Name extends ManageTool> = Static<(typeof manageInputs)[Name]>

interface Context {
  service: Service
  accountId: string
  signal: AbortSignal
}

type Work = { [Name in ManageTool]: (context: Context, input: Input<Name>) => Promise<Managed> }

/** Whether a call changes nothing: a limited key may do it, as at its route. */
const isReading = (name: ManageTool, input: { logIn?: boolean }) =>
  name === "list_sessions" || (name === "check_session" && !input.logIn)

/** Calls a tool for the account of a call, with the rights that its routes require. @throws ApiError */
export async function manage<Name extends ManageTool>(
  service: Service,
  { call, signal }: { call: Call; signal: AbortSignal },
  name: Name,
  input: Input<Name>,
): Promise<Managed> {
  if (bearerOf(call.request) === undefined) {
    const message = "Sessions and destinations require an account: add its API key to the client."
    throw new ApiError(401, message)
  }
  await requireAccount(service, call)
  const { accountId, key } = callerOf(call.request)
  if (!isReading(name, input as { logIn?: boolean })) requireFullKey(call.request)
  else if (key && !scopesOf(key).includes("read")) {
    throw new ApiError(403, 'This API key lacks the scope "read". Create a key that has it.')
  }
  return work[name]({ service, accountId, signal }, input)
}

const work: Work = {
  async list_sessions({ service, accountId }) {
    const page = { limit: maxSessions, offset: 0 }
    const { rows } = await listSiteSessions(service.store.db, accountId, page)
    const sessions = rows.map((row) => visibleSession(service, row))
    const none = "There are none. create_session creates one, or your user in the console."
    return { text: sessions.map(sessionWords).join("\n") || none, data: { sessions } }
  },
  async create_session({ service, accountId }, { replace, ...input }) {
    const { row, isNew } = replace
      ? await putSession(service, accountId, input)
      : { row: await createSession(service, accountId, input), isNew: true }
    const session = visibleSession(service, row)
    const text = `${isNew ? "Created" : "Replaced"}: ${sessionWords(session)}`
    return { text, data: { session } }
  },
  async check_session({ service, accountId, signal }, { session: name, logIn }) {
    const known = await ownSession(service, accountId, name)
    const row = logIn ? await logInSession(service, known, signal) : known
    const session = visibleSession(service, row)
    return { text: sessionWords(session), data: { session } }
  },
  async delete_session({ service, accountId }, { session: name }) {
    const { id, ...row } = await ownSession(service, accountId, name)
    await service.store.write("siteSessions.delete", { id, accountId })
    return { text: `Deleted the session ${row.name}.`, data: { deleted: row.name } }
  },
  async create_destination({ service, accountId }, input) {
    const row = await createDestination(
      destinationParts(service),
      { id: newId("dst"), accountId },
      input,
    )
    const destination = destinationResponse(row)
    // A secret in a response would become part of a model's conversation.
    const signed =
      row.kind === "webhook"
        ? " Its requests are signed. The signing secret is shown only to who creates a webhook in the console or by the API."
        : ""
    const text = `Created: ${row.name} (${row.kind}) ${row.target}. test_destination writes a probe.${signed}`
    return { text, data: { destination } }
  },
  async test_destination({ service, accountId }, { destination: name }) {
    const row = await ownDestination(service, accountId, name)
    const { error, milliseconds } = await service.destinations.test(row, service.ending.signal)
    const text = error === null ? `It works (${milliseconds} ms).` : `It failed: ${error}`
    return { text, data: { ok: error === null, milliseconds, error } }
  },
  async delete_destination({ service, accountId }, { destination: name }) {
    const { id, ...row } = await ownDestination(service, accountId, name)
    await service.store.write("destinations.delete", { id, accountId })
    return { text: `Deleted the destination ${row.name}.`, data: { deleted: row.name } }
  },
}

function sessionWords(session: ReturnType<typeof visibleSession>): string {
  const { name, status, reason, hosts, expiresAt, signedIn, login } = session
  return [
    `${name} (${status}) for ${hosts.join(", ")}`,
    ...(reason ? [`reason: ${reason}`] : []),
    ...(expiresAt ? [`cookies end ${expiresAt}`] : []),
    ...(login ? [signedIn ? "logs in by a recipe" : "the first run logs in by its recipe"] : []),
  ].join("; ")
}
