  task idle;
    {s_apb_psel, s_apb_penable, s_apb_pwrite, s_apb_paddr} = '0;
    {s_apb_pwdata, s_apb_pstrb, s_apb_pprot} = '0;
  endtask

  task access(input logic to_write, input logic [11:0] address, input logic [31:0] data);
    pause;
    @(negedge clk_i);
    {s_apb_psel, s_apb_penable, s_apb_pwrite} = {2'b10, to_write};
    {s_apb_paddr, s_apb_pwdata, s_apb_pstrb} = {address, data, {4{to_write}}};
    @(negedge clk_i);
    s_apb_penable = 1'b1;
    @(posedge clk_i);
    while (!s_apb_pready) @(posedge clk_i);
    if (s_apb_pslverr) fail("an access is in error");
    found = s_apb_prdata;
    @(negedge clk_i);
    {s_apb_psel, s_apb_penable} = '0;
  endtask

  task write(input logic [11:0] address, input logic [31:0] data);
    access(1'b1, address, data);
  endtask

  task read(input logic [11:0] address);
    access(1'b0, address, '0);
  endtask
