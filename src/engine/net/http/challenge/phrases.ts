/**
 * Sentences of challenges by unknown vendors, by language: visitors must prove to be human, or
 * their browser is being checked.
 */
const sentences: Record<string, readonly RegExp[]> = {
  en: [
    /(?:verif(?:y(?:ing)?|ies)|confirm|prove|check(?:ing)?|make sure|making sure|ensure|validate) (?:that |if |whether )?(?:you(?:['’]re| are)|visitors are) (?:an? |not )?(?:actual |real )?(?:human|person|an? (?:ro)?bot)/,
    /are you (?:a |an )?(?:robot|human|bot)\b/,
    /(?:checking|verifying|validating|inspecting|analy[sz]ing) (?:(?:if|that) the site connection is secure|(?:your|the) (?:web )?(?:browser|connection|request|device|network))/,
    /(?:complet(?:e|ing)|solv(?:e|ing)|pass(?:ing)?) (?:the|this|a) (?:captcha|security check)/,
    /(?:unusual|suspicious|automated|abnormal) (?:traffic|activity|requests?|access) (?:(?:coming )?from|(?:has been |was )?detected)/,
    /press (?:&|and) hold/,
    /(?:performing|running) (?:a )?security (?:check|verification)/,
    /establishing a secure connection/,
    /wait while (?:we|your request is)[^.!?]{0,30}verif(?:y|ied)/,
  ],
  de: [
    /(?:bestätigen|beweisen|verifizieren|überprüfen)[^.!?]{0,30}(?:ein mensch|kein (?:ro)?bot(?:er)?)\b/,
    /\bkein roboter\b/,
    /(?:ihr|der|deinen?|ihren?) browser wird (?:über)?prüft|(?:überprüfen|prüfen) (?:wir )?(?:ihren|deinen) browser/,
    /ungewöhnliche[rn]? (?:datenverkehr|aktivität)/,
  ],
  fr: [
    /(?:vérifi(?:er|ez|ons)|confirm(?:er|ez)|prouvez)[^.!?]{0,30}(?:êtes|est)[^.!?]{0,10}humain/,
    /pas un robot\b/,
    /vérification de (?:votre|la) (?:navigateur|connexion)|vérifions votre navigateur/,
    /(?:trafic|activité) (?:inhabituel|suspect)/,
  ],
  es: [
    /(?:verifi(?:ca|que|car)|confirm[ae]r?|demuestr[ae])[^.!?]{0,30}\bhuman[oa]\b/,
    /no (?:eres|es|soy) un (?:ro)?bot/,
    /(?:comprobando|verificando) (?:su|tu|el) (?:navegador|conexión)/,
    /(?:tráfico|actividad) (?:inusual|sospechos[oa])/,
  ],
  pt: [
    /(?:verifi(?:que|car|ca)|confirm[ae]r?|prove)[^.!?]{0,30}\b(?:é|ser|és) (?:um )?humano/,
    /não (?:é|sou|és) um (?:ro)?b(?:ô|o)t?/,
    /verificando (?:seu|o seu|o) navegador/,
    /(?:tráfego|atividade) (?:incomum|suspeit[oa])/,
  ],
  it: [
    /(?:verific[ah]|confermare|conferma|dimostra)[^.!?]{0,30}(?:essere|sei|tu sia) (?:un )?(?:essere )?uman[oa]/,
    /non (?:sei|sono) un (?:ro)?bot/,
    /(?:verifica|controllo) del (?:tuo )?browser/,
  ],
  nl: [
    /(?:verifieer|bevestig|controleer)[^.!?]{0,30}(?:een )?mens (?:bent|is)/,
    /(?:je|u) geen robot bent/,
    /(?:uw|je) browser wordt gecontroleerd/,
  ],
  sv: [/(?:bekräfta|verifiera) att du är (?:en )?människa/, /(?:inte|ikke) (?:är )?en robot/],
  pl: [
    /(?:potwierdź|zweryfikuj)[^.!?]{0,30}człowiekiem/,
    /nie jesteś robotem/,
    /sprawdzanie (?:twojej )?przeglądarki/,
  ],
  cs: [/(?:ověřte|potvrďte)[^.!?]{0,30}člověk/, /nejste robot/],
  tr: [
    /(?:insan|robot) olma(?:dığınızı|yıp|dığını)|insan olduğunuzu/,
    /tarayıcınız (?:kontrol|denetleniyor)/,
  ],
  ru: [
    /(?:подтвердите|докажите|проверка)[^.!?]{0,30}(?:вы человек|вы не (?:ро)?бот)/,
    /вы не робот/,
    /провер(?:ка|яем) (?:вашего |ваш )?браузера?/,
  ],
  da: [/bekræft,? at du er (?:et )?menneske/, /du ikke er en robot/],
  nb: [/bekreft at du er (?:et )?menneske/],
  fi: [/(?:vahvista|todista)[^.!?]{0,15}olet ihminen/, /en ole robotti/],
  hu: [/(?:igazolja|erősítse meg)[^.!?]{0,15}(?:ön )?ember/, /nem vagyok robot/],
  ro: [/(?:verificați|confirmați)[^.!?]{0,15}(?:sunteți|ești) (?:o persoană|om)/, /nu sunt robot/],
  el: [/(?:επαληθεύστε|επιβεβαιώστε)[^.!?]{0,15}είστε άνθρωπος/, /δεν είμαι ρομπότ/],
  th: [/(?:ยืนยัน|ตรวจสอบ)ว่าคุณ(?:เป็นมนุษย์|ไม่ใช่(?:หุ่นยนต์|โรบอท))/],
  he: [/(?:אמת|אשר|אמתו) ש(?:אתה|אתם) (?:אנושי|אדם|בני אדם)/, /אני לא רובוט/],
  fa: [/(?:تأیید|تایید) کنید که (?:شما )?(?:انسان|ربات نیستید)/],
  hi: [/(?:सत्यापित|पुष्टि) करें कि आप (?:मानव|इंसान|मनुष्य)/],
  uk: [/(?:підтвердьте|перевірка)[^.!?]{0,30}(?:ви людина|не робот)/],
  id: [/verifikasi (?:bahwa )?anda (?:adalah )?(?:manusia|bukan robot)/],
  vi: [/(?:xác minh|xác nhận)[^.!?]{0,30}(?:con người|không phải (?:là )?(?:người máy|robot))/],
  ar: [/(?:تحقق|التحقق|تأكد|أثبت)[^.!?]{0,30}(?:إنسان|لست روبوت)/],
  zh: [
    /(?:验证|驗證|确认|確認)[^.!?]{0,12}(?:真人|人类|人類|不是机器人|不是機器人)/,
    /(?:人机|人機|安全)(?:身份)?(?:验证|驗證)/,
    /正在(?:检查|檢查|验证|驗證)(?:您|你)的(?:浏览器|瀏覽器)/,
  ],
  ja: [/(?:人間であること|ロボットでは(?:ない|ありません))/, /ブラウザを(?:確認|チェック)して/],
  ko: [/사람인지 확인|로봇이 (?:아닙니다|아님)|브라우저를? 확인/],
}

const errorPhrase = new RegExp(
  Object.values(sentences)
    .flat()
    .map(({ source }) => source)
    .join("|"),
  "iu",
)

/** Titles of challenges, which may have only a spinner as content. */
const titles =
  /^(?:Authenticating|Verifying|Captcha|Robot check|(?:Ro)?bot (?:challenge|detection|protection|verification)|Human (?:check|verification)|Browser (?:check|verification)|Security (?:challenge|check|checkpoint|verification))\b/i

/** Whether a short page asks its visitor to prove to be human. */
export const asksForHumans = (title: string, text: string): boolean =>
  titles.test(title) || errorPhrase.test(title) || errorPhrase.test(text)
