import { type TechnologyRule, technology } from "./rule.ts"

/** What pages are built with: frameworks of browser and server, site generators, documentation. */
export const frameworks: TechnologyRule[] = [
  technology("React", "JavaScript framework", "react.dev", {
    url: /\/react(?:-dom)?(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*(?:\.production)?(?:\.min)?\.js/,
    dom: "[data-reactroot], [data-reactid], [data-react-helmet]",
  }),
  technology("Preact", "JavaScript framework", "preactjs.com", {
    url: /\/preact(?:@|[-./])(\d+(?:\.\d+)+)?/,
  }),
  technology("Next.js", ["JavaScript framework", "Web framework"], "nextjs.org", {
    headers: { "x-powered-by": /^Next\.js ?([\d.]+)?/, "x-nextjs-cache": /./ },
    url: /\/_next\/(?:static|image)/,
    dom: "#__next, script#__NEXT_DATA__",
    implies: ["React", "Node.js"],
  }),
  technology("Gatsby", ["Static site generator", "JavaScript framework"], "gatsbyjs.com", {
    generator: /^Gatsby ?([\d.]+)?/,
    dom: "#___gatsby",
    implies: ["React"],
  }),
  technology("Remix", ["JavaScript framework", "Web framework"], "remix.run", {
    script: /window\.__remix(?:Context|Manifest|RouteModules)/,
    implies: ["React", "Node.js"],
  }),
  technology("Vue.js", "JavaScript framework", "vuejs.org", {
    url: /\/vue(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*(?:\.runtime)?(?:\.global)?(?:\.prod)?(?:\.min)?\.js/,
    html: /\sdata-v-[0-9a-f]{8}(?=[\s=>])|\sdata-v-app(?=[\s=>])/,
    dom: "[data-server-rendered=true], [v-cloak]",
  }),
  technology("Nuxt.js", ["JavaScript framework", "Web framework"], "nuxt.com", {
    url: /\/_nuxt\//,
    dom: "#__nuxt, #__layout",
    script: /window\.__NUXT__/,
    implies: ["Vue.js", "Node.js"],
  }),
  technology("VitePress", ["Static site generator", "Documentation"], "vitepress.dev", {
    generator: /^VitePress(?: v?([\d.]+))?/,
    dom: ".VPNav, #VPContent",
    implies: ["Vue.js"],
  }),
  technology("VuePress", ["Static site generator", "Documentation"], "vuepress.vuejs.org", {
    generator: /^VuePress(?: ([\d.]+))?/,
    implies: ["Vue.js"],
  }),
  technology("Gridsome", "Static site generator", "gridsome.org", {
    generator: /^Gridsome(?: v([\d.]+))?/,
    implies: ["Vue.js"],
  }),
  technology("Angular", "JavaScript framework", "angular.dev", {
    dom: "[ng-version]",
    html: /\sng-version="(\d+(?:\.\d+)+)"|\s_ng(?:host|content)-[\w-]+/,
    implies: ["TypeScript"],
  }),
  technology("AngularJS", "JavaScript framework", "angularjs.org", {
    url: /\/angular(?:js)?(?:@|[-./])(1(?:\.\d+)+)?[^"'\s]*\/?(?:angular)?(?:\.min)?\.js/,
    dom: "[ng-app], [data-ng-app], [ng-controller]",
  }),
  technology("Svelte", "JavaScript framework", "svelte.dev", {
    html: /class="[^"]*\bsvelte-[0-9a-z]{5,7}\b/,
  }),
  technology("SvelteKit", ["JavaScript framework", "Web framework"], "svelte.dev", {
    url: /\/_app\/immutable\//,
    html: /data-sveltekit-/,
    script: /__sveltekit_/,
    implies: ["Svelte"],
  }),
  technology("Astro", ["Static site generator", "Web framework"], "astro.build", {
    generator: /^Astro v?([\d.]+)/,
    url: /\/_astro\//,
    dom: "astro-island",
  }),
  technology("Ember.js", "JavaScript framework", "emberjs.com", {
    dom: ".ember-application, .ember-view",
    url: /\/ember(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*\.js/,
  }),
  technology("Alpine.js", "JavaScript framework", "alpinejs.dev", {
    url: /\/alpine(?:js)?(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*\.js|cdn\.min\.js\?alpine/,
    dom: "[x-data]",
  }),
  technology("htmx", "JavaScript library", "htmx.org", {
    url: /\/htmx(?:\.org)?(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*/,
    dom: "[hx-get], [hx-post], [data-hx-get]",
  }),
  technology("Stimulus", "JavaScript framework", "stimulus.hotwired.dev", {
    dom: "[data-controller][data-action]",
    weight: 60,
  }),
  technology("Turbo", "JavaScript library", "turbo.hotwired.dev", {
    dom: "turbo-frame, meta[name^=turbo-]",
    url: /\/turbo(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*\.js/,
  }),
  technology("Turbolinks", "JavaScript library", "github.com/turbolinks/turbolinks", {
    dom: "[data-turbolinks-track], [data-turbolinks]",
  }),
  technology("Lit", "JavaScript library", "lit.dev", { html: /<!--\?lit\$|<!--lit-part/ }),
  technology("Polymer", "JavaScript library", "polymer-library.polymer-project.org", {
    dom: "dom-module, link[rel=import][href*=polymer]",
  }),
  technology("Stencil", "JavaScript framework", "stenciljs.com", {
    html: /data-stencil-namespace|class="[^"]*\bhydrated\b/,
    weight: 60,
  }),
  technology("Backbone.js", "JavaScript framework", "backbonejs.org", {
    url: /\/backbone(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*\.js/,
  }),
  technology("Knockout", "JavaScript framework", "knockoutjs.com", {
    url: /\/knockout(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*\.js/,
  }),
  technology("Mithril", "JavaScript framework", "mithril.js.org", {
    url: /\/mithril(?:@|[-./])(\d+(?:\.\d+)+)?[^"'\s]*\.js/,
  }),
  technology("SolidJS", "JavaScript framework", "solidjs.com", { html: /\sdata-hk="/, weight: 60 }),
  technology("Qwik", "JavaScript framework", "qwik.dev", {
    dom: "[q\\:container], html[q\\:version]",
  }),
  technology("Inertia.js", "JavaScript framework", "inertiajs.com", {
    headers: { "x-inertia": /./, vary: /X-Inertia/i },
    dom: "#app[data-page]",
  }),
  technology("Livewire", "Web framework", "livewire.laravel.com", {
    url: /\/livewire\/livewire(?:\.min)?\.js/,
    dom: "[wire\\:id]",
    implies: ["Laravel"],
  }),
  technology("Blazor", "Web framework", "dotnet.microsoft.com/apps/aspnet/web-apps/blazor", {
    url: /\/_framework\/blazor\.(?:webassembly|server|web)\.js/,
    implies: ["ASP.NET"],
  }),
  technology("Flutter", "JavaScript framework", "flutter.dev", {
    dom: "flt-glass-pane, flutter-view",
    url: /\/flutter(?:_bootstrap|_service_worker)?\.js/,
  }),
  technology("Ionic", "JavaScript framework", "ionicframework.com", {
    dom: "ion-app",
    url: /\/@?ionic(?:\/core|@)/,
  }),
  technology("Meteor", "Web framework", "meteor.com", {
    script: /__meteor_runtime_config__/,
    implies: ["Node.js"],
  }),
  technology("Docusaurus", ["Static site generator", "Documentation"], "docusaurus.io", {
    generator: /^Docusaurus(?: v?([\d.]+\S*))?/,
    dom: "#__docusaurus, .docusaurus-mt-lg",
    implies: ["React"],
  }),
  technology("Hugo", "Static site generator", "gohugo.io", {
    generator: /^Hugo ?([\d.]+)?/i,
    implies: ["Go"],
  }),
  technology("Jekyll", "Static site generator", "jekyllrb.com", {
    generator: /^Jekyll(?: v([\d.]+))?/i,
    comment: /Begin Jekyll SEO tag v([\d.]+)/,
    implies: ["Ruby"],
  }),
  technology("Hexo", "Static site generator", "hexo.io", {
    generator: /^Hexo(?: ([\d.]+))?/i,
    implies: ["Node.js"],
  }),
  technology("Eleventy", "Static site generator", "11ty.dev", {
    generator: /^Eleventy(?: v([\d.]+))?/i,
    implies: ["Node.js"],
  }),
  technology("Pelican", "Static site generator", "getpelican.com", {
    generator: /^Pelican/,
    implies: ["Python"],
  }),
  technology("Zola", "Static site generator", "getzola.org", { generator: /^Zola/i }),
  technology("Octopress", "Static site generator", "octopress.org", {
    generator: /^Octopress/i,
    implies: ["Jekyll"],
  }),
  technology("Publii", "Static site generator", "getpublii.com", { generator: /^Publii/ }),
  technology("Quarto", ["Static site generator", "Documentation"], "quarto.org", {
    generator: /^quarto-([\d.]+)/,
  }),
  technology("Bookdown", ["Static site generator", "Documentation"], "bookdown.org", {
    generator: /^bookdown ([\d.]+)/,
  }),
  technology("mdBook", ["Static site generator", "Documentation"], "rust-lang.github.io/mdBook", {
    comment: /Book generated using mdBook/,
  }),
  technology("MkDocs", ["Static site generator", "Documentation"], "mkdocs.org", {
    generator: /^mkdocs-([\d.]+)/i,
    comment: /MkDocs version : ([\d.]+)/,
    html: /<a\s[^>]*href="(?:https?:)?\/\/(?:www\.)?mkdocs\.org\/?"[^>]*>\s*MkDocs\s*<\/a>/,
    implies: ["Python"],
  }),
  technology("Material for MkDocs", "Documentation", "squidfunk.github.io/mkdocs-material", {
    generator: /mkdocs-material-([\d.]+)/i,
    dom: "[data-md-color-scheme], .md-header__inner",
    implies: ["MkDocs"],
  }),
  technology("Sphinx", ["Static site generator", "Documentation"], "sphinx-doc.org", {
    url: /\/_static\/(?:documentation_options|doctools|sphinx_highlight)\.js/,
    html: /Created using\s+<a\s[^>]*href="(?:https?:)?\/\/(?:www\.)?sphinx-doc\.org\/?"[^>]*>\s*Sphinx\s*<\/a>\s*([\d.]+)?/,
    implies: ["Python"],
  }),
  technology("Read the Docs", ["Documentation", "Hosting"], "readthedocs.com", {
    headers: { "x-rtd-project": /./ },
    url: /assets\.readthedocs\.org|readthedocs-doc-embed|\/_\/static\/javascript\/readthedocs/,
  }),
  technology("GitBook", "Documentation", "gitbook.com", {
    generator: /^GitBook ?([\d.]+)?/,
    url: /\.gitbook\.(?:io|com)\/(?:~gitbook|_next)|gitbook-(?:x-prod|28427)/,
  }),
  technology("Mintlify", "Documentation", "mintlify.com", {
    generator: /^Mintlify/,
    url: /mintlify\.s3|mintcdn\.com|\.mintlify\.(?:app|com)/,
  }),
  technology("ReadMe", "Documentation", "readme.com", {
    meta: { "readme-deploy": /([\d.]+)/, "readme-subdomain": /./ },
  }),
  technology("Swagger UI", "Documentation", "swagger.io", {
    dom: "#swagger-ui",
    url: /\/swagger-ui(?:-bundle|-standalone-preset)?(?:@[\d.]+)?[^"'\s]*\.(?:js|css)/,
  }),
  technology("Redoc", "Documentation", "redocly.com", {
    dom: "redoc",
    url: /\/redoc(?:@[\w.]+)?[^"'\s]*\.js|cdn\.redoc\.ly/,
  }),
  technology("Javadoc", "Documentation", "docs.oracle.com/javase", {
    comment: /Generated by javadoc \(?([\d._]+)?/,
    generator: /^javadoc/,
    implies: ["Java"],
  }),
  technology("Doxygen", "Documentation", "doxygen.nl", { generator: /^Doxygen ([\d.]+)/ }),
  technology("TypeDoc", "Documentation", "typedoc.org", { generator: /^typedoc/i }),
  technology("rustdoc", "Documentation", "doc.rust-lang.org/rustdoc", { generator: /^rustdoc/ }),
  technology("Docsify", "Documentation", "docsify.js.org", {
    url: /\/docsify(?:@[\w.]+)?\/(?:lib\/)?(?:docsify|themes)/,
    script: /window\.\$docsify/,
  }),
  technology("Slate", "Documentation", "github.com/slatedocs/slate", {
    dom: ".tocify-wrapper, #toc.toc-list-h1",
  }),
  technology("Ruby on Rails", "Web framework", "rubyonrails.org", {
    headers: { "x-powered-by": /(?:Phusion Passenger|mod_rails)/ },
    cookies: /^_[\w-]+_session$/,
    meta: { "csrf-param": /^authenticity_token$/ },
    implies: ["Ruby"],
  }),
  technology("Django", "Web framework", "djangoproject.com", {
    cookies: /^(?:csrftoken|django_language)$/,
    html: /name=["']csrfmiddlewaretoken["']/,
    implies: ["Python"],
  }),
  technology("Flask", "Web framework", "flask.palletsprojects.com", {
    headers: { server: /Werkzeug\/([\d.]+)/ },
    implies: ["Python"],
  }),
  technology("FastAPI", "Web framework", "fastapi.tiangolo.com", {
    html: /<title>FastAPI - (?:Swagger UI|ReDoc)/,
    implies: ["Python"],
  }),
  technology("Laravel", "Web framework", "laravel.com", {
    cookies: /^laravel_session$/,
    implies: ["PHP"],
  }),
  technology("Symfony", "Web framework", "symfony.com", {
    headers: { "x-debug-token": /./ },
    cookies: /^sf_redirect$/,
    html: /id="sfwdt[0-9a-f]+"/,
    implies: ["PHP"],
  }),
  technology("CodeIgniter", "Web framework", "codeigniter.com", {
    cookies: /^ci_(?:session|csrf_token)$/,
    implies: ["PHP"],
  }),
  technology("CakePHP", "Web framework", "cakephp.org", {
    cookies: /^CAKEPHP$/i,
    implies: ["PHP"],
  }),
  technology("Yii", "Web framework", "yiiframework.com", {
    cookies: /^YII_CSRF_TOKEN$/,
    url: /\/yii(?:\.activeForm|\.validation|\.captcha)?\.js(?:\?|$)/m,
    implies: ["PHP"],
  }),
  technology("Zend Framework", "Web framework", "framework.zend.com", {
    cookies: /^ZENDSESSID/,
    implies: ["PHP"],
  }),
  technology("Express", "Web framework", "expressjs.com", {
    headers: { "x-powered-by": /^Express/ },
    implies: ["Node.js"],
  }),
  technology("NestJS", "Web framework", "nestjs.com", {
    headers: { "x-powered-by": /NestJS/i },
    implies: ["Node.js"],
  }),
  technology("Koa", "Web framework", "koajs.com", {
    headers: { "x-powered-by": /^koa$/i },
    cookies: /^koa[:.]sess$/,
    implies: ["Node.js"],
  }),
  technology("Sails.js", "Web framework", "sailsjs.com", {
    headers: { "x-powered-by": /^Sails/ },
    cookies: /^sails\.sid$/,
    implies: ["Node.js"],
  }),
  technology("AdonisJS", "Web framework", "adonisjs.com", {
    cookies: /^adonis-session/,
    implies: ["Node.js"],
  }),
  technology("Phoenix", "Web framework", "phoenixframework.org", {
    dom: "[data-phx-main], [data-phx-session]",
    cookies: /^_\w+_key$/,
    implies: ["Elixir"],
  }),
  technology("Spring", "Web framework", "spring.io", {
    headers: { "x-application-context": /./ },
    implies: ["Java"],
  }),
  technology("JavaServer Faces", "Web framework", "jakarta.ee/specifications/faces", {
    html: /name="javax\.faces\.ViewState"|name="jakarta\.faces\.ViewState"/,
    implies: ["Java"],
  }),
  technology("Apache Wicket", "Web framework", "wicket.apache.org", {
    url: /\/wicket\/resource\//,
    implies: ["Java"],
  }),
  technology("Vaadin", "Web framework", "vaadin.com", {
    dom: "vaadin-app-layout, .v-app[id], #outlet[data-vaadin]",
    url: /\/VAADIN\/(?:build|themes|widgetsets)\//,
    implies: ["Java"],
  }),
  technology("Play Framework", "Web framework", "playframework.com", {
    cookies: /^PLAY_(?:SESSION|FLASH|LANG)$/,
    implies: ["Java"],
  }),
  technology("Google Web Toolkit", "JavaScript framework", "gwtproject.org", {
    url: /\.nocache\.js/,
    meta: { "gwt:property": /./ },
    implies: ["Java"],
  }),
  technology("ASP.NET", "Web framework", "dotnet.microsoft.com", {
    headers: {
      "x-aspnet-version": /([\d.]+)?/,
      "x-powered-by": /^ASP\.NET/,
      "x-aspnetmvc-version": /([\d.]+)?/,
    },
    cookies: /^ASP\.NET_SessionId$|^\.AspNetCore|^\.ASPXAUTH$|^ARRAffinity/,
    page: /\.aspx(?:[?#]|$)/i,
    html: /name="__VIEWSTATE(?:GENERATOR)?"/,
    url: /\/(?:WebResource|ScriptResource)\.axd\?/,
  }),
  technology("ColdFusion", "Web framework", "adobe.com/products/coldfusion-family", {
    cookies: /^CF(?:ID|TOKEN|GLOBALS)$/,
    page: /\.cfm(?:[?#]|$)/i,
    url: /\/cfajax\/|\/CFIDE\/scripts\//,
  }),
  technology("PHP", "Programming language", "php.net", {
    headers: { "x-powered-by": /^PHP(?:\/([\d.]+))?/i, server: /\bPHP\/([\d.]+)/ },
    cookies: /^PHPSESSID$/,
    page: /\.php(?:[?#]|$)/,
  }),
  technology("Java", "Programming language", "java.com", {
    headers: { "x-powered-by": /\b(?:JSP|Servlet|JSF)\b/ },
    cookies: /^JSESSIONID$/,
    page: /\.(?:jsp|jsf|do|faces)(?:[?#;]|$)/,
  }),
  technology("Python", "Programming language", "python.org", {
    headers: { server: /\b(?:CPython|Python)\/([\d.]+)|gunicorn|uvicorn|waitress/i },
  }),
  technology("Ruby", "Programming language", "ruby-lang.org", {
    headers: { server: /\bRuby\/([\d.]+)|WEBrick|Puma|Mongrel/i },
  }),
  technology("Perl", "Programming language", "perl.org", {
    headers: { server: /\bmod_perl\/([\d.]+)|\bPerl\/v?([\d.]+)/ },
  }),
  technology("Node.js", "Programming language", "nodejs.org", {
    headers: { "x-powered-by": /^Node/i },
  }),
  technology("Go", "Programming language", "go.dev", {
    headers: { server: /^Go(?:lang)?(?:\/|$)|fasthttp/i },
  }),
  technology("Elixir", "Programming language", "elixir-lang.org", {
    headers: { server: /^Cowboy$/i },
  }),
  technology("TypeScript", "Programming language", "typescriptlang.org", {}),
  technology("Deno", ["Programming language", "Hosting"], "deno.com", {
    headers: { server: /^deno\// },
  }),
  technology("MySQL", "Database", "mysql.com", {}),
]
