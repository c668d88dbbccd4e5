import { type TechnologyRule, technology } from "./rule.ts"

export const forums: TechnologyRule[] = [
  technology("Discourse", "Forum", "discourse.org", {
    generator: /^Discourse ([\d.]+\S*)/,
    headers: { "x-discourse-route": /./ },
    implies: ["Ruby on Rails", "Ember.js"],
  }),
  technology("phpBB", "Forum", "phpbb.com", {
    cookies: /^phpbb\d?_/,
    html: /Powered by <a[^>]+phpbb\.com|id="phpbb"/,
    implies: ["PHP"],
  }),
  technology("vBulletin", "Forum", "vbulletin.com", {
    generator: /^vBulletin ?([\d.]+)?/,
    cookies: /^bb(?:lastactivity|lastvisit|sessionhash)$/,
    implies: ["PHP"],
  }),
  technology("XenForo", "Forum", "xenforo.com", {
    cookies: /^xf_(?:session|csrf)$/,
    dom: "html#XF, html#XenForo",
    implies: ["PHP"],
  }),
  technology("Invision Community", "Forum", "invisioncommunity.com", {
    cookies: /^ips4_/,
    url: /\/applications\/core\/interface\/|\/uploads\/css_built_\d+\//,
    implies: ["PHP"],
  }),
  technology("MyBB", "Forum", "mybb.com", {
    cookies: /^mybb\[/,
    url: /\/jscripts\/(?:general|bbcodes_sceditor)\.js/,
    script: /\bMyBBEditor\b|my_post_key/,
    implies: ["PHP"],
  }),
  technology("Flarum", "Forum", "flarum.org", {
    cookies: /^flarum_session$/,
    dom: "#flarum-loading, #flarum-json-payload",
    implies: ["PHP"],
  }),
  technology("NodeBB", "Forum", "nodebb.org", {
    headers: { "x-powered-by": /^NodeBB$/ },
    implies: ["Node.js"],
  }),
  technology("Vanilla Forums", "Forum", "vanillaforums.com", {
    headers: { "x-garden-version": /Vanilla ([\d.]+)?/ },
    implies: ["PHP"],
  }),
]
