/** Beginnings of a transaction of SQLite that take its lock. */
export const toWrite = 'begin immediate';
export const toRead = 'begin; select 1 from sqlite_schema limit 1';
