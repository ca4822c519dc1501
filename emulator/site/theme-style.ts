/** The style sheet of a new shop's theme, in light and dark. */
export const themeStyle = `:root {
  color-scheme: light dark;
  --page: light-dark(#fbf9f6, #17181a);
  --card: light-dark(#ffffff, #212327);
  --line: light-dark(#e4ded5, #383b41);
  --text: light-dark(#22252a, #eceae6);
  --soft: light-dark(#5c6066, #b0b3b9);
  --accent: light-dark(#8a3b12, #ffb58f);
  --on-accent: light-dark(#ffffff, #23140b);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--page); color: var(--text); }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
img { max-width: 100%; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; }

.top { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1.4rem; padding: .8rem max(1rem, calc((100% - 72rem) / 2)); background: var(--card); border-bottom: 1px solid var(--line); }
.top a { text-decoration: none; }
.top .logo { font-size: 1.25rem; font-weight: 700; letter-spacing: -.01em; color: var(--text); }
.top nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; flex: 1; }
.top nav a { color: var(--soft); padding: .3rem 0; }
.top nav a:hover { color: var(--accent); }
.top .cart { border: 1px solid var(--line); border-radius: 99px; padding: .3rem .9rem; color: var(--text); white-space: nowrap; }
main { flex: 1; width: 100%; max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
.bottom { padding: 1.5rem 1rem; border-top: 1px solid var(--line); color: var(--soft); text-align: center; font-size: .875rem; }

h2 { font-size: 1.25rem; letter-spacing: -.01em; margin: 2.2rem 0 1rem; }
h1 { font-size: clamp(1.6rem, 5vw, 2.3rem); line-height: 1.15; letter-spacing: -.02em; margin: .5rem 0 1rem; }
.lead { color: var(--soft); max-width: 40rem; margin: -.4rem 0 1.6rem; }
.empty { border: 1px dashed var(--line); border-radius: .8rem; padding: 2.5rem 1rem; text-align: center; color: var(--soft); }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 44%), 1fr)); gap: 1rem; list-style: none; margin: 0; padding: 0; }
.card { display: flex; flex-direction: column; height: 100%; background: var(--card); border: 1px solid var(--line); border-radius: .8rem; overflow: hidden; color: var(--text); text-decoration: none; transition: transform .15s, box-shadow .15s; }
.card:hover { transform: translateY(-2px); box-shadow: 0 6px 18px #0002; }
.card img, .picture { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: cover; }
.picture { display: grid; place-items: center; background: linear-gradient(135deg, hsl(var(--hue) 45% 86%), hsl(calc(var(--hue) + 40) 45% 76%)); color: hsl(var(--hue) 45% 25%); font-size: 2.6rem; font-weight: 700; }
.card .about { display: flex; flex-direction: column; gap: .25rem; flex: 1; padding: .8rem .9rem 1rem; }
.card .name { font-weight: 600; line-height: 1.3; }
.card .price { margin-top: auto; }
.price { font-variant-numeric: tabular-nums; font-weight: 600; }
.price s { color: var(--soft); font-weight: 400; }
.none { color: var(--soft); font-size: .875rem; }

.product { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2rem; align-items: start; }
.product .picture, .product .photo { border-radius: .8rem; width: 100%; }
.product .price { font-size: 1.4rem; margin: 0 0 1rem; }
.variants { list-style: none; margin: 0 0 1.2rem; padding: 0; border-top: 1px solid var(--line); }
.variants li { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .4rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.variants form { margin: 0; }
.variants .price { font-size: 1rem; margin: 0 0 0 auto; }
.button { display: inline-block; border: 0; border-radius: .5rem; padding: .5rem 1rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .6rem .8rem .6rem 0; border-bottom: 1px solid var(--line); }
.lines td:not(:first-child), .lines th:not(:first-child) { text-align: right; font-variant-numeric: tabular-nums; }
.search { display: flex; gap: .5rem; margin-bottom: 1.5rem; }
.search input { flex: 1; min-width: 0; font: inherit; padding: .5rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: var(--text); }
@media (max-width: 40rem) {
  .product { grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  .top nav { order: 3; flex-basis: 100%; }
  .top .cart { margin-left: auto; }
}
`;
