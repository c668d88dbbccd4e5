const sign=()=>import(`./sign.o-Lm45No67.js`).then((e)=>e.default);
