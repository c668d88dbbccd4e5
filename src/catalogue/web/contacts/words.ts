import type { WordTable } from "../../../extract/core/index.ts"

/** Names of mailboxes that belong to an office, not to a person. */
export const officeMailboxes: WordTable = {
  any: "finance|info|it|mail|mailbox|marketing|newsletter|personal|post|team|web",
  en: `
    abuse|accounts?|accounting|admin(?:istration|istrator)?|ask|billing|booking|business|careers?
    contact|customer-?(?:care|service)|dpo|enquir(?:y|ies)|events?|feedback|hello|help|helpdesk
    hi|hostmaster|hr|information|inquir(?:y|ies)|invoices?|jobs?|legal|media|no-?reply|office
    orders?|partners?|postmaster|press|privacy|reception|reservations?|sales|security|service
    shop|support|webmaster|welcome
  `,
  de: `
    anfrage|anmeldung|bestellung|bewerbung|buchhaltung|buero|datenschutz|empfang|einkauf|hallo
    hilfe|kanzlei|karriere|kontakt|kundenservice|praxis|presse|rechnung|redaktion|sekretariat
    verkauf|vertrieb|verwaltung|zentrale
  `,
  es: "contacto",
  it: "contatti",
}
