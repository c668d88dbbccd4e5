import { wordSet } from "../core/index.ts"

/** Words that are not keywords, by language; shorter words never count. */
export const stopWords = wordSet(`
  the and for are was were with that this from have has had not but you your they their them our
  his her its all can will would could should may about into over under than then there here what
  when where which who whom why how also more most some such only other just been being both each
  few own same very any does did doing these those because until while between through during
  before after above below again further once out off
  der die das den dem des ein eine einer eines einem einen und oder aber nicht auch mit von vom
  zum zur für auf aus bei nach über unter vor durch ist sind war waren wird werden wurde wurden
  hat haben hatte sein seine ihre ihr sie wir ich mich mir uns sich als wie wenn dass daß noch nur
  schon mehr sehr hier dort diese dieser dieses diesem diesen man kann können muss müssen soll
  sollen alle alles bis ohne gegen um im am
  les des une dans pour par sur avec que qui est sont pas plus aux cette ces son ses leur nous
  vous ils elles mais comme tout tous être avoir fait
  los las una unos para por con sin sobre que del como más pero sus este esta estos estas son fue
  ser hay muy también cuando donde desde hasta
  gli una uno per con non che del della delle dei nel nella sono come più anche questo questa alla
  dal sul tra
  het een van voor met niet zijn dat die ook aan bij naar maar door over uit worden werd deze dit
  para com uma por que não dos das como mais mas foi ser são pelo pela seu sua
  nie się jest oraz dla jak przez który która które tym tego być są
`)
