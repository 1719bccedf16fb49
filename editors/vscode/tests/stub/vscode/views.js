'use strict';

// The view of the extension: its rows, their boxes, the selection.

const { desk } = require('./desk');
const { EventEmitter } = require('./types');

function createTreeView(id, { treeDataProvider: provider }) {
  const ticked = new EventEmitter();
  const view = {
    selection: [],
    visible: true,
    dispose: () => delete desk.views[id],
    onDidChangeCheckboxState: ticked.event,
    set description(text) {
      throw new Error(`“${text}” is not seen: the header of the only view of a container is that of the container`);
    },
  };
  // A box that was ticked stays so until the rows are drawn again.
  const boxes = new Map();
  provider.onDidChangeTreeData(() => boxes.clear());
  const rows = async () => {
    const below = async (parent) => {
      const items = await Promise.all((await provider.getChildren(parent)).map((node) => provider.getTreeItem(node)));
      for (const item of items) if (provider.getParent(item) !== parent) throw new Error('a row with another parent');
      return (await Promise.all(items.map(async (item) => [item, ...(item.collapsibleState ? await below(item) : [])]))).flat();
    };
    const items = await below();
    for (const item of items) if (boxes.has(item.id)) item.checkboxState.state = boxes.get(item.id);
    const ids = items.flatMap((item) => item.id ?? []);
    if (new Set(ids).size < ids.length) throw new Error('Element with this id is already registered');
    return items;
  };
  view.reveal = async (row, { select, focus }) => {
    view.visible = true;
    if (!provider.getParent) throw new Error("Required registered TreeDataProvider to implement 'getParent' method");
    if (select) view.selection = [row];
    if (focus) desk.cursor = row;
  };
  const tick = (row) => {
    boxes.set(row.id, row.checkboxState.state ? 0 : 1);
    ticked.fire({ items: [[row, boxes.get(row.id)]] });
  };
  desk.views[id] = { provider, view, rows, tick };
  return view;
}

module.exports = { createTreeView };
