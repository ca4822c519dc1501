// Which shop the objects of a state are of: by address without a request, by the account where the address differs.
import { describe, expect, test } from "vitest";
import { ForbiddenError, NoAnswerError, UnreachableError } from "../../provider/client/errors.ts";
import { OtherShopError, openIdentity } from "../../provider/context/identity.ts";

const [a, b] = ["https://a.example", "https://b.example"];

function opened(url: string, account: string | Error, env: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  let asked = 0;
  const ask = async () => {
    asked += 1;
    if (account instanceof Error) throw account;
    return account;
  };
  const identity = openIdentity({ url, sources: { env }, ask, say: (line) => said.push(line) });
  return { identity, said, asked: () => asked };
}

const about = { method: "GET", path: "/admin/account.xml", kind: "Account", status: 403 } as const;

describe("the shop that an object belongs to", () => {
  test("an object with the same address belongs to this shop, without a request", async () => {
    const { identity, asked } = opened(a, "1");
    expect(await identity.compare(`${a}#1`)).toBe("ours");
    expect(await identity.compare(undefined)).toBe("ours");
    expect([await identity.mark(), asked()]).toEqual([`${a}#1`, 0]);
  });

  test("an object with another address and the same account belongs to this shop, which is asked and reported once", async () => {
    const { identity, said, asked } = opened(b, "1");
    for (let n = 0; n < 3; n += 1) expect(await identity.compare(`${a}#1`)).toBe("ours");
    expect(asked()).toBe(1);
    expect(said).toEqual([
      `${a} has the address ${b} now: it is the same account, 1. A refresh notes the new address in the state`,
    ]);
    expect(await identity.mark()).toBe(`${b}#1`);
  });

  test("an object with another account belongs to another shop, at any address", async () => {
    await expect(opened(b, "2").identity.compare(`${a}#1`)).rejects.toThrow(
      `its objects belong to ${a} (account 1), and shop:url is ${b} (account 2)`,
    );
    const told = opened(a, "2", { SHOP_ACCOUNT: "2" });
    await expect(told.identity.compare(`${a}#1`)).rejects.toThrow(OtherShopError);
    expect(told.asked()).toBe(0);
  });

  test("an object with another address and an unknown account can't be assigned to a shop", async () => {
    const untold = opened(b, new ForbiddenError(about));
    await expect(untold.identity.compare(`${a}#1`)).rejects.toThrow("because the shop doesn't report it");
    await expect(opened(b, "1").identity.compare(a)).rejects.toThrow("because the state doesn't have its id");
    expect(await untold.identity.mark()).toBe(b);
    expect(await opened(b, new NoAnswerError("an answer that can't be read", about)).identity.mark()).toBe(b);
  });

  test("an object of the shop that --new-shop or SHOP_FORGET names is forgotten, and no other", async () => {
    const { identity } = opened(b, "2", { SHOP_FORGET: `${a}#1` });
    expect(await identity.compare(`${a}#1`)).toBe("forgotten");
    await expect(identity.compare("https://c.example#3")).rejects.toThrow(OtherShopError);
  });

  test("the account is asked for again if the shop didn't answer", async () => {
    let account: string | Error = new UnreachableError("ECONNREFUSED", about);
    const ask = async () => {
      if (account instanceof Error) throw account;
      return account;
    };
    const identity = openIdentity({ url: a, sources: { env: {} }, ask, say: () => {} });
    await expect(identity.mark()).rejects.toThrow("never reached the shop");
    account = "1";
    expect(await identity.mark()).toBe(`${a}#1`);
  });

  test("the shop decides if a state has two accounts for one address", async () => {
    const { identity, asked } = opened(a, "2");
    expect(await identity.compare(`${a}#1`)).toBe("ours");
    expect(await identity.compare(`${a}#2`)).toBe("ours");
    await expect(identity.compare(`${a}#1`)).rejects.toThrow(OtherShopError);
    expect(asked()).toBe(1);
  });

  test("the account is checked again if the shop has no object with that id", async () => {
    const { identity, asked } = opened(a, "2");
    await identity.compare(`${a}#1`);
    await expect(identity.confirm(`${a}#1`)).rejects.toThrow(OtherShopError);
    await identity.confirm(`${a}#2`);
    await identity.confirm(a);
    expect(asked()).toBe(1);
  });

  test("a shop that doesn't report its account isn't taken for the one that lacks an object", async () => {
    const { identity } = opened(a, new ForbiddenError(about));
    await identity.confirm(a);
    await expect(identity.confirm(`${a}#1`)).rejects.toThrow("neither is the shop's account, 1");
  });

  test("a setting that names another shop is an error before any object is marked", async () => {
    const { identity } = opened(a, "2", { SHOP_ACCOUNT: "1" });
    await expect(identity.mark()).rejects.toThrow(
      `shop:account is 1, but ${a} has the account 2: remove shop:account`,
    );
  });
});
