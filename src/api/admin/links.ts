import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { normalEmail } from "../../accounts/accounts.ts"
import { createLink, type FreshLink, linkUrl } from "../../accounts/links.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { answerObject, time } from "../schemas/common.ts"
import type { Service } from "../service.ts"
import { credentials } from "../sign-up/entry.ts"
import { accountParameter, namedAccount, roleSchema } from "./account-answers.ts"
import { adminPrefix } from "./prefix.ts"

const linkSchema = answerObject(
  {
    url: Type.String({ description: "To be opened once; whoever has it is let in." }),
    expiresAt: time("When it is over."),
  },
  { $id: "AccountLink" },
)

const invitationSchema = Type.Object(
  {
    email: Type.Optional(credentials.email),
    role: Type.Optional(roleSchema),
    credits: Type.Optional(
      Type.Integer({ minimum: 0, description: "To begin with; those of a sign-up by default." }),
    ),
  },
  { additionalProperties: false },
)

/** Links that let somebody in. */
export function linkAdminRoutes(service: Service): AnyElysia {
  const { store } = service
  const answer = (root: string, { link, expiresAt }: FreshLink) => ({
    url: linkUrl(root, link),
    expiresAt: expiresAt.toISOString(),
  })
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ AccountLink: gives(linkSchema) })
    .post(
      "/invitations",
      async ({ body: { email, role, credits }, set, root }) => {
        set.status = 201
        set.headers["cache-control"] = "no-store"
        return answer(
          root,
          await createLink(store, {
            kind: "invitation",
            ...(email !== undefined && { email: normalEmail(email) }),
            ...(role && { role }),
            ...(credits !== undefined && { credits }),
          }),
        )
      },
      {
        owner: true,
        root: true,
        ownerJson: true,
        body: takes.body(invitationSchema),
        response: { 201: "AccountLink" },
        detail: operation({
          id: "adminInvite",
          tag: "Administration",
          summary: "A link by which somebody makes an account, once, within seven days",
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
        return answer(root, await createLink(store, { kind: "password", accountId: id }))
      },
      {
        owner: true,
        root: true,
        params: takes.params({ accountId: accountParameter }),
        response: { 201: "AccountLink" },
        detail: operation({
          id: "adminPasswordLink",
          tag: "Administration",
          summary: "A link by which an account gets a new password, once, within a day",
          auth: "owner",
          replies: { 201: "The link; those made before are over." },
          refusals: [404],
        }),
      },
    )
    .post(
      "/owner-link",
      async ({ set, root }) => {
        set.status = 201
        set.headers["cache-control"] = "no-store"
        return answer(root, await createLink(store, { kind: "owner", role: "owner" }))
      },
      {
        owner: true,
        root: true,
        response: { 201: "AccountLink" },
        detail: operation({
          id: "adminOwnerLink",
          tag: "Administration",
          summary: "A link that makes an owner's account, once, within 30 minutes",
          auth: "owner",
          replies: { 201: "The link; those made before are over." },
        }),
      },
    )
}
