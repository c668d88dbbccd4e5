import { upstreamTable } from "../kit/index.ts"

/** IDs of stored queries, and feature switches. They change with X's web build, every few weeks. */
export const xTable = upstreamTable("x", "2026-08", {
  UserByScreenName: "Gb-d6r0vxPOADdG62OEBpQ",
  UserByRestId: "xvmVfRLmnr1alc5f2dib0Q",
  SearchTimeline: "BGd0T_j7oVwlW5U79tO_0A",
  /** Public token of the web client. */
  bearer:
    "AAAAAAAAAAAAAAAAAAAAANRILgAAAAAAnNwIzUejRCOuH5E6I8xnZz4puTs%3D1Zv7ttfk8LF81IUq16cHjhLTvJu4FA33AGWWjCpTnA",
  /** Values for `x-client-transaction-id`: the signing script, its loaders, its word and number. */
  signScripts: ["sign.o", "ondemand.s"],
  signImporters: ["client-transaction-id", "sentry-filter", "entry-client"],
  signKeyword: "obfiowerehiring",
  signMark: 3,
  /** Feature switches that the API requires in a request; these are on. */
  featuresOn: [
    "articles_preview_enabled",
    "c9s_tweet_anatomy_moderator_badge_enabled",
    "communities_web_enable_tweet_community_results_fetch",
    "creator_subscriptions_tweet_preview_api_enabled",
    "freedom_of_speech_not_reach_fetch_enabled",
    "graphql_is_translatable_rweb_tweet_is_translatable_enabled",
    "hidden_profile_subscriptions_enabled",
    "highlights_tweets_tab_ui_enabled",
    "longform_notetweets_consumption_enabled",
    "longform_notetweets_inline_media_enabled",
    "longform_notetweets_rich_text_read_enabled",
    "responsive_web_edit_tweet_api_enabled",
    "responsive_web_graphql_timeline_navigation_enabled",
    "responsive_web_twitter_article_notes_tab_enabled",
    "responsive_web_twitter_article_tweet_consumption_enabled",
    "rweb_tipjar_consumption_enabled",
    "standardized_nudges_misinfo",
    "subscriptions_feature_can_gift_premium",
    "subscriptions_verification_info_verified_since_enabled",
    "tweet_with_visibility_results_prefer_gql_limited_actions_policy_enabled",
    "verified_phone_label_enabled",
    "view_counts_everywhere_api_enabled",
  ],
  featuresOff: [
    "creator_subscriptions_quote_tweet_preview_enabled",
    "payments_enabled",
    "premium_content_api_read_enabled",
    "profile_label_improvements_pcf_label_in_post_enabled",
    "responsive_web_enhance_cards_enabled",
    "responsive_web_graphql_skip_user_profile_image_extensions_enabled",
    "responsive_web_grok_analyze_post_followups_enabled",
    "responsive_web_grok_image_annotation_enabled",
    "responsive_web_grok_share_attachment_enabled",
    "responsive_web_jetfuel_frame",
    "rweb_video_screen_enabled",
    "subscriptions_verification_info_is_identity_verified_enabled",
  ],
})
