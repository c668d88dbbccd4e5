/** Recipes in the layouts of plugins and plain pages in several languages, without data. */
const page = (lang: string, main: string) =>
  `<!doctype html><html lang="${lang}"><head><title>Fenwick kitchen</title></head><body><header><nav><a href="/">Home</a></nav></header>
  <main>${main}</main><footer><p>© 2026 Fenwick kitchen</p></footer></body></html>`

export interface RecipePage {
  how: string
  html: string
  reported: Record<string, unknown>
  /** Requested fields, some of which the pages lack. */
  requested?: string[]
}

export const recipePages: RecipePage[] = [
  {
    how: "WP Recipe Maker, with groups and boxes to tick",
    html: page(
      "en",
      `<h1>The best plum cake you will ever bake</h1><p>My grandmother had a tree.</p>
      <div class="wprm-recipe-container"><h2 class="wprm-recipe-name">Plum cake</h2>
      <div class="wprm-recipe-servings-container"><span class="wprm-recipe-servings-label">Servings: </span><span class="wprm-recipe-servings">12</span> <span class="wprm-recipe-servings-unit">pieces</span></div>
      <div class="wprm-recipe-ingredients-container"><h3>Ingredients</h3>
      <div class="wprm-recipe-ingredient-group"><h4 class="wprm-recipe-group-name">For the dough</h4><ul class="wprm-recipe-ingredients">
      <li class="wprm-recipe-ingredient"><span class="wprm-checkbox-container">▢ </span><span class="wprm-recipe-ingredient-amount">250</span> <span class="wprm-recipe-ingredient-unit">g</span> <span class="wprm-recipe-ingredient-name">flour</span></li>
      <li class="wprm-recipe-ingredient"><span class="wprm-checkbox-container">▢ </span><span>2</span> <span>eggs</span></li></ul></div>
      <div class="wprm-recipe-ingredient-group"><h4 class="wprm-recipe-group-name">For the top</h4><ul class="wprm-recipe-ingredients"><li class="wprm-recipe-ingredient">1 kg plums</li></ul></div></div>
      <div class="wprm-recipe-instructions-container"><h3>Instructions</h3><div class="wprm-recipe-instruction-group"><ul class="wprm-recipe-instructions">
      <li class="wprm-recipe-instruction"><div class="wprm-recipe-instruction-text">Knead the dough.</div></li></ul></div>
      <div class="wprm-recipe-instruction-group"><ul class="wprm-recipe-instructions"><li class="wprm-recipe-instruction"><div>Lay out the plums.</div></li><li class="wprm-recipe-instruction"><div>Bake for an hour.</div></li></ul></div></div></div>`,
    ),
    reported: {
      name: "Plum cake",
      servings: "12 pieces",
      ingredients: ["250 g flour", "2 eggs", "1 kg plums"],
      instructions: ["Knead the dough.", "Lay out the plums.", "Bake for an hour."],
    },
  },
  {
    how: "Tasty Recipes",
    html: page(
      "en",
      `<h1>How to make onion tart</h1><div class="tasty-recipes"><h2 class="tasty-recipes-title">Onion tart</h2>
      <div class="tasty-recipes-details"><ul><li class="total-time"><span class="tasty-recipes-label">Total Time:</span> <span class="tasty-recipes-total-time">1 hour</span></li>
      <li class="yield"><span class="tasty-recipes-label">Yield:</span> <span class="tasty-recipes-yield">8 slices</span></li></ul></div>
      <div class="tasty-recipes-ingredients"><h3>Ingredients</h3><div><h4>Pastry</h4><ul><li>200 g flour</li><li>100 g butter</li></ul><h4>Filling</h4><ul><li>6 onions</li></ul></div></div>
      <div class="tasty-recipes-instructions"><h3>Instructions</h3><ol><li>Make the pastry.</li><li>Fry the onions.</li></ol></div></div>`,
    ),
    reported: {
      name: "Onion tart",
      servings: "8 slices",
      totalTime: "1 hour",
      ingredients: ["200 g flour", "100 g butter", "6 onions"],
      instructions: ["Make the pastry.", "Fry the onions."],
    },
  },
  {
    how: "Mediavine Create",
    html: page(
      "en",
      `<section class="mv-create-card"><h1 class="mv-create-title">Beet salad</h1><div class="mv-create-ingredients"><h3>Ingredients</h3><ul><li>3 beets</li><li>1 apple</li></ul></div>
      <div class="mv-create-instructions"><h3>Instructions</h3><ol><li>Boil the beets.</li><li>Slice all.</li></ol></div></section>`,
    ),
    reported: {
      name: "Beet salad",
      ingredients: ["3 beets", "1 apple"],
      instructions: ["Boil the beets.", "Slice all."],
    },
  },
  {
    how: "German headings, groups and paragraphs",
    html: page(
      "de",
      `<h1>Apfelkuchen</h1><p>Für 4 Personen</p><h2>Zutaten</h2><h3>Für den Teig</h3><ul><li>200 g Mehl</li><li>1 Ei</li></ul><h3>Für den Belag</h3><ul><li>5 Äpfel</li></ul>
      <h2>Zubereitung</h2><h3>Schritt 1</h3><p>Den Teig kneten und ruhen lassen.</p><h3>Schritt 2</h3><p>Die Äpfel schälen und auflegen.</p><h2>Kommentare</h2><p>Lecker!</p>`,
    ),
    reported: {
      name: "Apfelkuchen",
      servings: "Für 4 Personen",
      ingredients: ["200 g Mehl", "1 Ei", "5 Äpfel"],
      instructions: ["Den Teig kneten und ruhen lassen.", "Die Äpfel schälen und auflegen."],
    },
  },
  {
    how: "French headings of one level, and counted lines",
    html: page(
      "fr",
      `<h1>Soupe au pistou</h1><h3>Ingrédients</h3><ul><li>2 courgettes</li><li>1 oignon</li></ul><h3>Pour le pistou</h3><ul><li>1 bouquet de basilic</li></ul>
      <h3>Préparation</h3><p>1. Couper les courgettes.</p><p>2. Ajouter le pistou.</p><h3>Conseils</h3><ul><li>Servir tiède.</li></ul>`,
    ),
    reported: {
      name: "Soupe au pistou",
      ingredients: ["2 courgettes", "1 oignon", "1 bouquet de basilic"],
      instructions: ["Couper les courgettes.", "Ajouter le pistou."],
    },
  },
  {
    how: "Italian steps in elements of their own",
    html: page(
      "it",
      `<h1>Pasta e ceci</h1><h2>Ingredienti</h2><ul><li>300 g di ceci</li><li>200 g di pasta</li></ul>
      <h2>Procedimento</h2><div><span>40 minuti</span> <span>facile</span></div><div class="step"><div>1</div><div>Lessate i ceci.</div></div><div class="step"><div>2</div><div>Unite la pasta.</div></div>`,
    ),
    reported: {
      name: "Pasta e ceci",
      ingredients: ["300 g di ceci", "200 g di pasta"],
      instructions: ["Lessate i ceci.", "Unite la pasta."],
    },
  },
  {
    how: "lines that say how much, with no heading, and what is done below",
    html: page(
      "en",
      `<h1>Orange carrots</h1><p>What, yet another carrot recipe? They are so handy.</p><h3>Recipe: carrots</h3>
      <ul><li>The thick end of 3 large carrots</li><li>1/4 tsp. salt</li><li>1 whole red chili pepper</li><li>1 Tbs. soy sauce</li><li>Chives</li></ul>
      <p>Cut the top half of the carrots. Reserve the thin ends for another dish.</p><p>Put the carrots in a pan with enough juice to cover and bring up to a boil.</p>
      <h3>Variation</h3><p>Omit the salt.</p><ul><li>Reply</li><li>2 comments</li></ul>`,
    ),
    reported: {
      ingredients: [
        "The thick end of 3 large carrots",
        "1/4 tsp. salt",
        "1 whole red chili pepper",
        "1 Tbs. soy sauce",
        "Chives",
      ],
      instructions: [
        "Cut the top half of the carrots. Reserve the thin ends for another dish.",
        "Put the carrots in a pan with enough juice to cover and bring up to a boil.",
      ],
    },
  },
  {
    how: "Swedish rows, for how many above them, with what may be changed",
    html: page(
      "sv",
      `<h1>Gul gryta</h1><p>Under 45 min</p><h2>Ingredienser</h2><div>4 portioner</div><div class="row"><span>400 g</span> <span>torskfilé</span></div><div class="row"><span>1/2</span> <span>purjolök</span></div><div class="row"><span>2 1/2 dl</span> <span>vitt vin</span></div>
      <h2>Gör så här</h2><ol><li>Skär fisken i bitar.</li><li>Koka upp vinet.</li></ol><h2>Tips</h2><p>Servera med bröd.</p>`,
    ),
    reported: {
      servings: "4 portioner",
      ingredients: ["400 g torskfilé", "1/2 purjolök", "2 1/2 dl vitt vin"],
      instructions: ["Skär fisken i bitar.", "Koka upp vinet."],
    },
  },
  {
    how: "a table whose heading is a plain line, and amounts above what they are of",
    html: page(
      "de",
      `<h1>Ragout</h1><div>ZUTATEN</div><table><tr><td>250 g</td><td>Hühnerbrust</td></tr><tr><td colspan="2">Für die Marinade:</td></tr><tr><td>2 EL</td><td>Olivenöl</td></tr></table>
      <div>ZUBEREITUNG</div><div><div>1</div><div>Die Brust in Stücke schneiden.</div><div>2</div><div>Das Öl erhitzen.</div></div><div>Schwierigkeitsgrad</div><div>leicht</div><div>KOMMENTARE</div><div>Sehr gut gelungen.</div>`,
    ),
    reported: {
      ingredients: ["250 g Hühnerbrust", "2 EL Olivenöl"],
      instructions: ["Die Brust in Stücke schneiden.", "Das Öl erhitzen."],
    },
  },
  {
    how: "a number that can be changed, boxes to tick within their labels, times said twice",
    html: page(
      "en",
      `<h1>Kale pie</h1><div class="wprm-recipe-servings-container">Servings: <input type="number" class="wprm-recipe-servings" value="6"> <span>1x 2x 3x</span></div>
      <div class="prep"><span>Prep Time: </span><span>20 <span>minutes</span> mins</span></div><div><span>Cook Time: </span><span>1 <span>hour</span> hr 5 <span>minutes</span> mins, plus cooling</span></div>
      <fieldset><legend>Ingredient Checklist</legend><h2>Ingredients</h2><ul><li><label for="a"><input type="checkbox" id="a"> <span>1 cup kale</span></label></li><li><label for="b"><input type="checkbox" id="b"> <span>2 eggs</span></label></li></ul></fieldset>`,
    ),
    reported: { servings: "6", prepTime: 20, cookTime: 65, ingredients: ["1 cup kale", "2 eggs"] },
  },
  {
    how: "ingredients in one line, steps that begin with `Pour`, and servings in the heading",
    html: page(
      "de",
      `<h1>Tourte</h1><h2>Zutaten für 6 Personen</h2><p>4-5 Feigen, 1 Confit (Brust, oder 2 Keulen), 3 Schalotten, Milch zum Pinseln</p>
      <h2>Anleitung</h2><ol><li>Alles schneiden.</li><li>Pour out and serve.</li></ol>`,
    ),
    reported: {
      servings: "für 6 Personen",
      ingredients: [
        "4-5 Feigen",
        "1 Confit (Brust, oder 2 Keulen)",
        "3 Schalotten",
        "Milch zum Pinseln",
      ],
      instructions: ["Alles schneiden.", "Pour out and serve."],
    },
  },
  {
    how: "many groups of ingredients, a note below them, and nothing of how it is made",
    html: page(
      "sv",
      `<h1>Stor buffé</h1><h2>Ingredienser</h2>${Array.from({ length: 60 }, (_, index) => `<div class="ingredients-row"><span class="ingredients-amount">${index + 1} dl</span> <span class="ingredients-name">sort ${"x".repeat(index + 1)}</span></div>`).join("")}<p>Kontrollera alltid vad som står på varje förpackning.</p>
      <h3>För alla</h3><p>Gör det utan mjölk: välj grädde av havre i stället för vanlig grädde.</p><p>Gör det utan ägg: byt ut majonnäsen mot en som är gjord av ärter.</p>`,
    ),
    reported: {
      ingredients: Array.from(
        { length: 60 },
        (_, index) => `${index + 1} dl sort ${"x".repeat(index + 1)}`,
      ),
    },
    requested: ["ingredients", "instructions"],
  },
]
