'use strict';

const vscode = require('vscode');
const { layoutOf, primaryOf, shownScreen } = require('./screens');
const { plain } = require('./text');

const ITEMS_MAX = 1000; // of one action
const NAMES_MAX = 10; // of items in a question

/** The first of the rows that an action cannot be done to, because it can only be read. */
const lockedRow = ({ scope, role }, rows) =>
  scope === 'item' && role !== 'open' ? rows.find(({ readOnly }) => readOnly) : undefined;

/** Performs the actions of the user, with their questions, and asks for the fields of short forms. */
class Presser {
  constructor(session, forms, views) {
    /** @type {import('./session').Session} */
    this.session = session;
    /** @type {import('./forms').Forms} */
    this.forms = forms;
    /** @type {import('./views').Views} */
    this.views = views;
    /** The user's answers to the questions of actions whose last request has failed, by action and items. */
    this.unstored = {};
  }

  /** The actions that can be seen now, those of the screen in front first: [screen, action] pairs. */
  get offered() {
    const screens = new Set([this.session.front, shownScreen(this.session)]);
    return [...screens].flatMap((screen) => (screen?.actions ?? []).map((action) => [screen, action]));
  }

  /** Does the action with a role, to rows if it is for some. */
  async pressRole(role, rows) {
    await this.session.start();
    const items = this.views.itemsOf(rows);
    const isPage = role === 'link' && /^https?:/.test(items[0]?.url);
    if (isPage) return void vscode.env.openExternal(vscode.Uri.parse(items[0].url, true));
    const [screen, action] = this.offered.find(([, one]) => one.role === role) ?? [];
    if (!action) throw new Error(`“${this.session.front?.title ?? 'Todo'}” has nothing for that.`);
    await this.press(screen, action, items);
  }

  /** Asks the user to choose one of the screen's actions. */
  async choose(rows) {
    const selected = this.views.itemsOf(rows);
    const names = selected.length > 1 ? `${selected.length} rows` : selected[0]?.title;
    const isPossible = (action) => action.enabled && !lockedRow(action, selected);
    const words = (action) => (isPossible(action) ? (action.scope === 'item' && names) || '' : 'not now');
    const items = this.offered.map(([screen, action]) => ({
      label: plain(action.title), description: plain(words(action)), screen, action,
    }));
    const choice = await vscode.window.showQuickPick(items, { title: plain(this.session.front?.title) });
    if (choice) await this.press(choice.screen, choice.action, selected);
  }

  async press(screen, action, selected = []) {
    const { session, forms } = this;
    const { name, role, title, scope, primary } = action;
    const isItem = scope === 'item';
    const items = isItem ? selected.map(({ id }) => id) : [];
    const [item] = items;
    const isMany = items.length > 1;
    if (isItem && !items.length) throw new Error(`Select a row for “${title}” first.`);
    const locked = lockedRow(action, selected);
    if (locked) throw new Error(`“${locked.title}” can only be read.`);
    if (isMany && !action.many) throw new Error(`“${title}” is for one row: select only one.`);
    if (items.length > ITEMS_MAX) throw new Error(`Select at most ${ITEMS_MAX} rows.`);
    if (layoutOf(screen)) {
      if (role === 'back' && layoutOf(screen) === 'text') return void (await forms.leave());
      if (primary && (await forms.save())) return;
      await forms.tell();
    } else {
      const opening = role === 'open' ? item : undefined;
      if (!(await forms.makeWay(opening))) return void (await forms.show());
      if (opening) forms.opening[screen.id] = opening;
    }
    // Its question depends on the newest edits.
    const isIt = ([one, { name: other }]) => one.id === screen.id && other === name;
    const [newest, { confirm, confirmMany, input = [] }] = this.offered.find(isIt) ?? [screen, action];
    const question = isMany ? confirmMany?.replace('{count}', `${items.length}`) : confirm;
    const names = selected.slice(0, NAMES_MAX).map((one) => one.title);
    const subject = isItem ? { title: [...names, ...(selected.length > NAMES_MAX ? ['…'] : [])].join(', ') } : newest;
    if (question && !(await ask(question, subject, title))) return;
    const isForm = primary && newest.body.kind === 'form' && !layoutOf(newest);
    const key = [name, ...items].join(' ');
    const asked = isForm ? newest.body.fields : this.#filled(key, input);
    const values = await this.#askAll(title, asked, isForm);
    if (!values) return;
    const which = isMany ? { items } : { item };
    if (!isForm) this.unstored[key] = values;
    const { outcome } = await forms.act(newest, { action: name, ...which, values });
    delete this.unstored[key];
    const { front } = session;
    if (outcome === 'asks') throw new Error(front.message?.text ?? `Nothing was stored: ${front.title}.`);
    // A short form that has come is asked immediately: nothing else can be done with it.
    const next = front.id !== screen.id && front.body.fields?.length && !layoutOf(front) && primaryOf(front, 'screen');
    if (next && role === next.role) await this.press(front, next);
  }

  /** The questions of an action; if its last request has failed, with the user's answers. */
  #filled(key, input) {
    const values = this.unstored[key] ?? {};
    return input.map((field) => (field.secret ? field : { ...field, value: values[field.name] ?? field.value }));
  }

  /** Asks for fields one after the other; undefined when the user thought better of it. */
  async #askAll(title, fields, isForm) {
    const values = {};
    for (const { name, label, value = '', secret = false, readOnly, suggest } of fields) {
      if (readOnly) continue;
      if (suggest && !isForm) {
        values[name] = await choose(plain(title), plain(label), value, suggest.map(plain));
        if (values[name] === undefined) return undefined;
        continue;
      }
      const isPossible = isForm && primaryOf(this.session.front, 'screen')?.enabled;
      const text = await vscode.window.showInputBox({
        title: plain(title), prompt: plain(label), value, ignoreFocusOut: true,
        placeHolder: secret && isPossible ? 'May be empty' : undefined,
        password: secret, // VS Code shows dots and keeps no history of any input box
        validateInput: isForm ? (typed) => this.#check(name, typed) : undefined,
      });
      if (text === undefined) return undefined;
      values[name] = text;
    }
    return values;
  }

  /** Checks a value at the server while it is typed. An error does not prevent the user from accepting it. */
  async #check(name, typed) {
    await this.session.ask('change', this.session.front, { values: { [name]: typed } }).catch(() => {});
    const error = this.session.front?.body.fields?.find((field) => field.name === name)?.error;
    return error && { message: plain(error), severity: vscode.InputBoxValidationSeverity.Warning };
  }
}

/** The texts that begin as a text does, with a suggestion as its last word or as the whole. */
function completions(text, suggest) {
  for (const { index } of text.matchAll(/(?<=^|\s)/g)) {
    const sign = text[index] === '-' ? '-' : '';
    const lead = text.slice(index + sign.length).toLowerCase();
    const words = suggest.filter((word) => word.toLowerCase().startsWith(lead));
    if (words.length) return words.map((word) => text.slice(0, index) + sign + word);
  }
  return [];
}

/** Asks for a text that suggestions complete, each of which can be changed; undefined when the user gives up. */
function choose(title, placeholder, value, suggest) {
  const pick = vscode.window.createQuickPick();
  Object.assign(pick, { title, placeholder, value, ignoreFocusOut: true });
  const offer = () => {
    const others = completions(pick.value, suggest).filter((label) => label !== pick.value);
    const typed = { label: pick.value, description: 'as typed', alwaysShow: true };
    pick.items = [typed, ...others.map((label) => ({ label, alwaysShow: true }))];
    pick.activeItems = [typed];
  };
  offer();
  return new Promise((resolve) => {
    pick.onDidChangeValue(offer);
    pick.onDidHide(() => {
      pick.dispose();
      resolve(undefined);
    });
    pick.onDidAccept(() => {
      const { label, description } = pick.activeItems[0] ?? pick.items[0];
      if (!description) {
        pick.value = label;
        return offer();
      }
      resolve(label);
      pick.hide();
    });
    pick.show();
  });
}

/** Asks with one button about a screen, or an item of it; whether it was pressed. */
async function ask(question, { subject, title }, button) {
  const options = { modal: true, detail: plain(subject ?? title) };
  return (await vscode.window.showWarningMessage(plain(question), options, plain(button))) === plain(button);
}

module.exports = { Presser, ask };
