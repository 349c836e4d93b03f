/** Kind of what is carried from the palette to the canvas: the name of a task. */
export const draggedTask = "application/x-millrace-task";
