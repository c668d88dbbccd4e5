import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { normalEmail } from "../../accounts/accounts.ts"
import { createLink, type FreshLink, linkUrl } from "../../accounts/links.ts"
import { newId } from "../../store/db/ids.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { responseObject, time } from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts, NotificationParts } from "../service-parts.ts"
import { credentials } from "../sign-up/entry.ts"
import { accountParameter, namedAccount, roleSchema } from "./account-responses.ts"
import { adminPrefix } from "./prefix.ts"

const linkSchema = responseObject(
  {
    url: Type.String({
      description: "Link that can be opened once. Anyone who has it can use it.",
    }),
    expiresAt: time("Time of expiry."),
    emailed: Type.Optional(
      Type.Boolean({
        description: "Whether the invitation was sent by email; only for invitations.",
      }),
    ),
  },
  { $id: "AccountLink" },
)

const invitationSchema = Type.Object(
  {
    email: Type.Optional(credentials.email),
    role: Type.Optional(roleSchema),
    credits: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Initial credits. Default: the credits of a sign-up.",
      }),
    ),
  },
  { additionalProperties: false },
)

/** Invitations and links that set a password. */
export function linkAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & NotificationParts,
): AnyElysia {
  const { store } = service
  const reply = (root: string, { link, expiresAt }: FreshLink) => ({
    url: linkUrl(root, link),
    expiresAt: expiresAt.toISOString(),
  })
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ AccountLink: responseSchema(linkSchema) })
    .post(
      "/invitations",
      async ({ body: { email, role, credits }, set, root }) => {
        set.status = 201
        set.headers["cache-control"] = "no-store"
        const made = reply(
          root,
          await createLink(store, {
            kind: "invitation",
            ...(email !== undefined && { email: normalEmail(email) }),
            ...(role && { role }),
            ...(credits !== undefined && { credits }),
          }),
        )
        const emailed = email !== undefined && (await sendInvitation(service, email, root, made))
        return { ...made, emailed }
      },
      {
        owner: true,
        root: true,
        ownerJson: true,
        body: requestSchema.body(invitationSchema),
        response: { 201: "AccountLink" },
        detail: operation({
          id: "adminInvite",
          tag: "Administration",
          summary: "Create an invitation link: single-use, valid for seven days",
          description:
            "With an email address and a mail server (TRAWL_SMTP_URL, TRAWL_SMTP_FROM), the link is sent by email, too.",
          auth: "owner",
          examples: {
            anybody: { value: {} },
            one: { value: { email: "ada@example.com", credits: 500 } },
          },
          replies: { 201: "The link." },
        }),
      },
    )
    .post(
      "/accounts/:accountId/password-link",
      async ({ params, set, root }) => {
        const { id } = await namedAccount(store.db, params.accountId)
        set.status = 201
        set.headers["cache-control"] = "no-store"
        return reply(root, await createLink(store, { kind: "password", accountId: id }))
      },
      {
        owner: true,
        root: true,
        params: requestSchema.params({ accountId: accountParameter }),
        response: { 201: "AccountLink" },
        detail: operation({
          id: "adminPasswordLink",
          tag: "Administration",
          summary: "Create a link that sets a new password, valid once and for a day",
          auth: "owner",
          replies: { 201: "The link; earlier links are no longer valid." },
          refusals: [404],
        }),
      },
    )
    .post(
      "/owner-link",
      async ({ set, root }) => {
        set.status = 201
        set.headers["cache-control"] = "no-store"
        return reply(root, await createLink(store, { kind: "owner", role: "owner" }))
      },
      {
        owner: true,
        root: true,
        response: { 201: "AccountLink" },
        detail: operation({
          id: "adminOwnerLink",
          tag: "Administration",
          summary:
            "Create a link that makes an administrator's account, valid once and for 30 minutes",
          auth: "owner",
          replies: { 201: "The link; earlier links are no longer valid." },
        }),
      },
    )
}

const mailMs = 20_000

/** Returns whether the mail server took the invitation. The link works either way. */
async function sendInvitation(
  { dispatcher: { mailer } }: NotificationParts,
  email: string,
  root: string,
  { url, expiresAt }: { url: string; expiresAt: string },
): Promise<boolean> {
  if (mailer.notServed) return false
  const text = `You are invited to Trawl, a web-scraping service, at ${root}.

Open this link to create your account: ${url}

The link is valid once, until ${expiresAt.slice(0, 10)}. If you did not expect an invitation, ignore this email.
`
  const mail = {
    id: newId("lnk"),
    to: [email],
    subject: `Invitation to Trawl at ${new URL(root).host}`,
    text,
  }
  try {
    const { error } = await mailer.send(mail, AbortSignal.timeout(mailMs))
    return error === null
  } catch {
    return false
  }
}
